import type { ServiceSettings } from "#backend/configuration/service-settings.ts";
import { withClient } from "#backend/postgres/with-client.ts";

const HAVE = `
  select pg_namespace.nspname || '.' || relname as name from pg_class join pg_namespace on relnamespace = pg_namespace.oid
    where (nspname, relname) in (('auth', 'users'), ('storage', 'objects'), ('realtime', 'messages'))
  union all
  select nspname || '.' || proname from pg_proc join pg_namespace on pronamespace = pg_namespace.oid
    where (nspname, proname) = ('backend', 'rights_in_topics')
  union all
  select rolname from pg_roles where rolname = 'service_role' and pg_has_role(oid, 'member')`;

/** A sentence for each database object that a service needs but does not find; none if the database is down. */
export async function describeMissingParts(settings: ServiceSettings): Promise<string[]> {
  const { databaseUrl, auth, storage, realtime } = settings;
  if (!auth && !storage && !realtime) return [];
  const found = await findParts(databaseUrl);
  if (found === null) return [];
  const needs: [boolean, string, string][] = [
    [
      auth !== null,
      "auth.users",
      "auth: the database has no table auth.users, so nobody can have an account.",
    ],
    [
      storage !== null,
      "storage.objects",
      "storage: the database has no table storage.objects, so no file can be kept.",
    ],
    [
      storage !== null,
      "service_role",
      "storage: the database's login may not become service_role, which storage works as: grant service_role to it.",
    ],
    [
      realtime !== null,
      "realtime.messages",
      "realtime: the database has no table realtime.messages, so there are no private channels.",
    ],
    [
      realtime !== null && found.has("realtime.messages"),
      "backend.rights_in_topics",
      "realtime: the database has no function backend.rights_in_topics, so nobody is let into a private channel; serving accounts makes it.",
    ],
  ];
  return needs.filter(([isAsked, name]) => isAsked && !found.has(name)).map(([, , sentence]) => sentence);
}

function findParts(url: string): Promise<Set<string> | null> {
  return withClient(url, "backend", async (client) => {
    const { rows } = await client.query<{ name: string }>(HAVE);
    return new Set(rows.map(({ name }) => name));
  }).catch(() => null);
}

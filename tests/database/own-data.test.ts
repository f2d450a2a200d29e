import { expect, test } from "vitest";
import { OWN_BUCKETS, OWN_ROWS } from "#app/routes/account/own-data.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, become, becomeOwner } from "#tests/helpers/people.ts";

const database = ownDatabase();

/** Read by the account's own calls, or by functions. */
const BY_CALL = [
  "auth.identities.user_id",
  "auth.mfa_factors.user_id",
  "auth.oauth_consents.user_id",
  "auth.sessions.user_id",
  "auth.webauthn_credentials.user_id",
  "private.consent_log.child_id",
  "private.word_askers.user_id",
  "reports.reporter_id",
  "user_ratings.rated_user_id",
];
/** What the download of one's data leaves out. */
const LEFT_OUT = [
  // Codes, secrets and what is pending for minutes; of devices only digests are kept.
  "auth.oauth_authorizations.user_id",
  "auth.one_time_tokens.user_id",
  "auth.webauthn_challenges.user_id",
  "backend.known_devices.user_id",
  "backend.recovery_codes.user_id",
  "backend.ways_back.user_id",
  // Links of parents, and their addresses, which are the parents' own.
  "private.parent_links.child_id",
  "private.parental_consents.child_id",
  // When an account ceased to be anonymous, as its first address or provider tells.
  "private.full_accounts.user_id",
  // Limits, names to be replaced and file names, kept for days, which nobody may read.
  "private.daily_acts.user_id",
  "private.outgrown_names.user_id",
  "private.paces.user_id",
  "private.refused_texts.user_id",
  "private.sent_avatars.person",
  // Copies for moderators, kept for a day or until the case is closed.
  "chat_originals.user_id",
  "deleted_chat_messages.user_id",
  // What others wrote about a user, and moderators' work on a case, which the user may not read.
  "case_notes.user_id",
  "chat_mutes.muted_user_id",
  "reports.reported_user_id",
  "second_opinions.user_id",
  // Who acted on what is another's: what staff did is in the log of their acts.
  "appeals.answered_by",
  "archived_items.archived_by",
  "case_notes.author_id",
  "chat_silences.created_by",
  "reports.resolved_by",
  "sanctions.created_by",
  "sanctions.lifted_by",
  "second_opinions.asked_by",
  "value_proposals.decided_by",
  "value_sets.published_by",
  "value_sets.rolled_back_by",
  // Nobody may read who made a public change; what an editor proposed is in the copy.
  "item_demand_changes.changed_by",
  "item_value_changes.changed_by",
  "item_value_checks.checked_by",
];

test("every reference to a user is in the download of one's data, or left out for a reason", async () => {
  const { rows } = await database.owner.query(
    `select conrelid::regclass || '.' || attname as reference
     from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
     where contype = 'f' and confrelid in ('public.profiles'::regclass, 'auth.users'::regclass)`,
  );
  const own = Object.values(OWN_ROWS).map(([table, owner]) => `${table}.${owner}`);
  expect(rows.map(({ reference }) => reference).toSorted()).toEqual(
    [...own, ...BY_CALL, ...LEFT_OUT].toSorted(),
  );
});

test("the buckets in which users see files in a folder of their own are those of their pictures", async () => {
  const { rows } = await database.as("Ana", async (client) => {
    const name = `${ACCOUNTS.Ana.id}/me.png`;
    await becomeOwner(client);
    await client.query(
      "insert into storage.objects (bucket_id, name, owner) select id, $1, $2 from storage.buckets",
      [name, ACCOUNTS.Ana.id],
    );
    await become(client, "Ana");
    return client.query("select bucket_id from storage.objects where name = $1", [name]);
  });
  expect(rows.map(({ bucket_id }) => bucket_id).toSorted()).toEqual(OWN_BUCKETS.toSorted());
});

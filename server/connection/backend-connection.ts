import type { SupabaseClient } from "@supabase/supabase-js";
import type { ListProviders } from "#app/features/session/sign-in-provider.ts";
import type { HttpHandler } from "#backend/http/http-message.ts";
import type { PoolUse } from "#backend/postgres/database.ts";
import type { Database } from "#supabase/database.types.ts";
import type { SocketDoor } from "../http/http-server.ts";
import type { PageSubject } from "../pages/page-subject.ts";

/** The backend that the site is a client of: the bundled one, in this process, or a hosted one. */
export type BackendConnection = {
  /** As an anonymous visitor. */
  supabase: SupabaseClient<Database>;
  listProviders: ListProviders;
  /** Where a browser finds it: empty for the page's own host. */
  publicUrl: string;
  anonKey: string;
  /** The bundled backend's door; null where another host answers. */
  door: HttpHandler | null;
  /** The same for websockets. */
  sockets: SocketDoor | null;
  /** Says where the site is served, once it is. */
  servedAt(address: string): void;
  /** Whether `onChange` is called at all; else what was read a second ago may be stale. */
  live: boolean;
  /** Calls back when something that pages show has changed, or may have; without a subject, of any page. */
  onChange(listener: (subject?: PageSubject) => void): void;
  /** Whether the database's disk was found full or broken within the last minute. */
  diskFailed(): boolean;
  /** False where pages are read of a replica whose primary is gone. */
  primaryAnswers(): boolean;
  /** How its services go, in the form that Prometheus reads; empty where another host has them. */
  figures(): string;
  /** Open sockets of realtime; 0 where another host has them. */
  openSockets(): number;
  /** How the services' connections to the database are used; null where another host has them. */
  poolUse(): PoolUse | null;
  /** The database as its owner reaches it; null where another host has it. */
  ownerUrl: string | null;
  /** The folder whose disk it all needs room on; null where another host has the data. */
  dataDir: string | null;
  close(): Promise<void>;
};

/** The client's options on the server: no session, and no waiting through retries while a visitor waits for a page. */
export const ANONYMOUS = {
  auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  db: { retry: false },
};

import type { SupabaseClient } from "@supabase/supabase-js";
import type { ListProviders } from "#app/features/sign-in/sign-in-provider.ts";
import type { HttpHandler } from "#backend/http/http-message.ts";
import type { PoolUse } from "#backend/postgres/database.ts";
import type { Database } from "#supabase/database.types.ts";
import type { SocketHandler } from "../http/http-server.ts";
import type { PageSubject } from "../pages/page-subject.ts";

/** The site's connection to its backend: the bundled one in this process, or a hosted one. */
export type BackendConnection = {
  /** A client with an anonymous visitor's rights. */
  supabase: SupabaseClient<Database>;
  listProviders: ListProviders;
  /** Where browsers reach it; empty for the page's own host. */
  publicUrl: string;
  anonKey: string;
  /** The bundled backend's request handler; null for a hosted backend. */
  handler: HttpHandler | null;
  /** The same for websockets. */
  sockets: SocketHandler | null;
  /** Tells the backend the site's address once it is known. */
  servedAt(address: string): void;
  /** Whether `onChange` calls back at all; if not, reads older than a second may be stale. */
  live: boolean;
  /**
   * Calls the listener when data shown on pages has, or may have, changed; without a subject, any page may be affected.
   */
  onChange(listener: (subject?: PageSubject) => void): void;
  /** Whether the database's disk was found full or broken within the last minute. */
  diskFailed(): boolean;
  /** False if pages are read from a replica whose primary is gone. */
  primaryAnswers(): boolean;
  /** Metrics of its services in Prometheus format; empty for a hosted backend. */
  figures(): string;
  /** Open realtime sockets; 0 for a hosted backend. */
  openSockets(): number;
  /** Usage of the services' connection pools; null for a hosted backend. */
  poolUse(): PoolUse | null;
  /** Connection URL of the database owner; null for a hosted backend. */
  ownerUrl: string | null;
  /** The folder whose disk needs free space; null for a hosted backend. */
  dataDir: string | null;
  close(): Promise<void>;
};

/** Client options on the server: no session, and no retries while a visitor waits for a page. */
export const ANONYMOUS = {
  auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  db: { retry: false },
};

import type { RealtimeChannel, Session } from "@supabase/supabase-js";
import type { Client } from "#app/features/site/client.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { confirmSession, wasAbandoned } from "./live-session.ts";
import { claimsOf } from "./second-factor.ts";
import { currentSession } from "./session-store.ts";

/** After a channel was closed though the session continues, in milliseconds. */
const REOPEN_AFTER = 2_000;

export type SessionWatch = {
  /** Called with this browser's current session, or null. */
  follow(session: Session | null): void;
  /** Something suggests that the session has ended: asks the service, and if so, ends it here with a notice. */
  doubt(): Promise<void>;
};

/**
 * Notices when the session is ended elsewhere, by its own channel, which the service then closes; checks again when the
 * connection or the page comes back. Once per page.
 */
export function watchSession(client: Client): SessionWatch {
  let followed: string | null = null;
  let channel: RealtimeChannel | undefined;
  let asking: Promise<void> | undefined;

  function follow(session: Session | null): void {
    const id = session && sessionIdOf(session);
    if (id === followed) return;
    followed = id;
    leave();
    // The client's calls wait until its listeners return, and this is one of them.
    if (id) setTimeout(() => void open(id), 0);
  }

  function leave(): void {
    const last = channel;
    // First, since the channel reports its own removal.
    channel = undefined;
    if (last) void client.removeChannel(last);
  }

  async function open(id: string): Promise<void> {
    await client.realtime.setAuth();
    if (id !== followed || channel) return;
    const own = client.channel(`session:${id}`, { config: { private: true } });
    channel = own;
    own.subscribe((status, error) => {
      if (own !== channel || status === "SUBSCRIBED") return;
      // A backend without such channels.
      if (error?.message.includes("Unauthorized")) return leave();
      // A lost connection is restored by itself.
      if (!client.realtime.isConnected()) return;
      void doubt();
      if (status === "CLOSED") reopenLater(id);
    });
  }

  function reopenLater(id: string): void {
    leave();
    setTimeout(() => id === followed && void open(id), REOPEN_AFTER);
  }

  function doubt(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  async function ask(): Promise<void> {
    const { session, isLeaving } = currentSession();
    if (!session || isLeaving) return;
    if ((await confirmSession(client)) !== "ended" || currentSession().isLeaving || wasAbandoned(session))
      return;
    // After a gate's notice for signed-out visitors.
    setTimeout(() => showToast(ENDED), 0);
  }

  addEventListener("online", () => {
    void reconnect(client);
    void doubt();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void doubt();
  });
  return { follow, doubt };
}

const ENDED = {
  title: "Your session has ended",
  description: "It was ended somewhere else, or your account changed. Please log in again.",
  variant: "destructive",
} as const;

/** A dead connection may look alive for half a minute. Its channels rejoin by themselves. */
async function reconnect({ realtime }: Client): Promise<void> {
  if (realtime.getChannels().length === 0) return;
  await realtime.disconnect();
  realtime.connect();
}

/** Null if the token has a different form. */
function sessionIdOf(session: Session): string | null {
  try {
    return claimsOf(session).session_id ?? null;
  } catch {
    return null;
  }
}

import type { SessionClient } from "#app/features/session/session-client.ts";

/** `free`, or the reason why someone may not write freely (supabase/schemas/age/voice.sql). */
type Standing = "free" | "unasked" | "child" | "strikes" | "new";

export type OwnStanding = {
  standing: Standing;
  /** The parent's answer; null if none was asked. */
  parent: "asked" | "allowed" | "refused" | "withdrawn" | null;
  /** When the parent who has not answered yet was asked. */
  askedAt: string | null;
};

/** @throws the service's error */
export async function readStanding(client: SessionClient): Promise<OwnStanding> {
  const { data } = await client.rpc("show_own_standing").maybeSingle().throwOnError();
  return {
    standing: (data?.standing ?? "unasked") as Standing,
    parent: (data?.parent ?? null) as OwnStanding["parent"],
    askedAt: data?.asked_at ?? null,
  };
}

import type { SessionClient } from "#app/features/session/session-client.ts";

/** The user's sanctions, latest first, with their appeals. @throws the service's error */
export async function readOwnSanctions(client: SessionClient, userId: string) {
  const { data } = await client
    .from("sanctions")
    .select(
      "id, kind, reason, removed, until, created_at, counts_until, lifted_at, appeal:appeals(message, granted, answer, answered_at)",
    )
    .eq("user_id", userId)
    .order("created_at", { ascending: false })
    .limit(20)
    .throwOnError();
  return data;
}

export type OwnSanction = Awaited<ReturnType<typeof readOwnSanctions>>[number];

/** The user's reports, latest first. @throws the service's error */
export async function readOwnReports(client: SessionClient) {
  return (await client.rpc("list_own_reports").limit(20).throwOnError()).data;
}

export type OwnReport = Awaited<ReturnType<typeof readOwnReports>>[number];

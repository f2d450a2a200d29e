import type { SessionClient } from "#app/features/session/session-client.ts";

// Each of these throws what the service answered when it refuses, and a TypeError when it cannot be reached.

const COLUMNS =
  "id, set_id, item_id, field, old_value, new_value, note, evidence_url, picture, state, why, proposed_by, proposed_as, proposed_at, decided_by, decision_note, items(name, slug, image_url), value_reasons(label)";

/** Proposals in one read. */
const MOST = 200;

/** What waits for a second person, the oldest first, with everybody's names. */
export async function readWaiting(client: SessionClient) {
  const { data } = await client
    .from("value_proposals")
    .select(COLUMNS)
    .eq("state", "waiting")
    .order("id")
    .limit(MOST)
    .throwOnError();
  return { proposals: data, names: await readEditorNames(client) };
}

/** What became of the last proposals that a second person decided, or their proposer took back; the newest first. */
export async function readDecided(client: SessionClient) {
  const { data } = await client
    .from("value_proposals")
    .select(COLUMNS)
    .or("decided_by.not.is.null,state.eq.withdrawn")
    .neq("state", "waiting")
    .order("id", { ascending: false })
    .limit(50)
    .throwOnError();
  return { proposals: data, names: await readEditorNames(client) };
}

type ReadProposals = Awaited<ReturnType<typeof readWaiting>>;
export type Proposal = ReadProposals["proposals"][number];
export type Names = ReadonlyMap<string, string>;

/** How many proposals wait. */
export async function countWaiting(client: SessionClient): Promise<number> {
  const { count } = await client
    .from("value_proposals")
    .select("id", { count: "exact", head: true })
    .eq("state", "waiting")
    .throwOnError();
  return count ?? 0;
}

async function readEditorNames(client: SessionClient): Promise<Names> {
  const { data } = await client.rpc("list_editor_names").throwOnError();
  return new Map(data.map(({ id, username }) => [id, username]));
}

/**
 * What became of one proposal: published, approved (its set publishes it), rejected; or why nothing did: changed_meanwhile,
 * refused (`why`), own, decided, gone.
 */
export type Decided = { id: number; outcome: string; why?: string | null };

/** Decides in one transaction what can be, and gives what became of each. A no needs a note. */
export async function decideProposals(
  client: SessionClient,
  decision: "approve" | "reject",
  ids: number[],
  note: string,
): Promise<Decided[]> {
  const deciding =
    decision === "approve"
      ? client.rpc("approve_proposals", { ids, ...(note && { note }) })
      : client.rpc("reject_proposals", { ids, note });
  return (await deciding.throwOnError()).data;
}

export async function withdrawProposals(client: SessionClient, ids: number[]): Promise<void> {
  await client.rpc("withdraw_proposals", { ids }).throwOnError();
}

/** Sets that are open, and what was published lately, each with its values. */
export async function readSets(client: SessionClient, states: readonly string[]) {
  const { data } = await client
    .from("value_sets")
    .select(`*, value_proposals(${COLUMNS})`)
    .in("state", states)
    .order("created_at", { ascending: false })
    .order("id", { referencedTable: "value_proposals" })
    .limit(20)
    .throwOnError();
  return { sets: data, names: await readEditorNames(client) };
}

export type ValueSet = Awaited<ReturnType<typeof readSets>>["sets"][number];

export async function createSet(client: SessionClient, name: string): Promise<void> {
  await client.rpc("create_value_set", { name }).throwOnError();
}

/** Publishes a set as one; gives how many of its values wait for a second person instead. */
export async function publishSet(client: SessionClient, id: string): Promise<number> {
  const { data } = await client.rpc("publish_value_set", { set_id: id }).throwOnError();
  return data;
}

/** Has a set published at a time, by null no more; gives how many of its values wait for a second person. */
export async function planSet(client: SessionClient, id: string, at: string | null): Promise<number> {
  const { data } = await client
    .rpc("plan_value_set", { set_id: id, planned_for: at as string })
    .throwOnError();
  return data;
}

/** Takes back all that a set published; gives how many values that were. */
export async function rollBackSet(client: SessionClient, id: string, note: string): Promise<number> {
  const { data } = await client
    .rpc("roll_back_value_set", { set_id: id, ...(note && { note }) })
    .throwOnError();
  return data;
}

export async function discardSet(client: SessionClient, id: string): Promise<void> {
  await client.rpc("discard_value_set", { set_id: id }).throwOnError();
}

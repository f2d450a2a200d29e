import type { SessionClient } from "#app/features/session/session-client.ts";

// Each of these throws the service's error if it refuses, and a TypeError if it cannot be reached.

const COLUMNS =
  "id, set_id, item_id, field, old_value, new_value, note, evidence_url, picture, state, why, proposed_by, proposed_as, proposed_at, decided_by, decision_note, items(name, slug, image_url), value_reasons(label)";

/** Proposals per read. */
const MOST = 200;

/** Proposals that wait for a second person, oldest first, with the users' names. */
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

/** The latest proposals that were decided or withdrawn, newest first. */
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
 * The outcome of one proposal: published, approved (its set publishes it), rejected; or why nothing happened:
 * changed_meanwhile, refused (`why`), own, decided, gone.
 */
export type Decided = { id: number; outcome: string; why?: string | null };

/** Decides in one transaction what can be decided, and returns the outcome of each. A rejection requires a note. */
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

/** Open sets, all of them as each waits for somebody; and the latest that were published. */
const SETS = {
  open: { states: ["draft", "submitted"], date: "created_at", most: 1000 },
  published: { states: ["published", "rolled_back"], date: "published_at", most: 20 },
} as const;

/** Sets by their date, newest first, each with its values. */
export async function readSets(client: SessionClient, which: keyof typeof SETS) {
  const { states, date, most } = SETS[which];
  const { data } = await client
    .from("value_sets")
    .select(`*, value_proposals(${COLUMNS})`)
    .in("state", states)
    .order(date, { ascending: false, nullsFirst: false })
    .order("id", { referencedTable: "value_proposals" })
    .limit(most)
    .throwOnError();
  return { sets: data, names: await readEditorNames(client) };
}

export type ValueSet = Awaited<ReturnType<typeof readSets>>["sets"][number];

type NewSet = { id: string; name: string };

/** Opens a set; a set of the same id and name that is there already counts as opened. */
export async function createSet(client: SessionClient, set: NewSet) {
  return (await client.rpc("create_value_set", set).throwOnError()).data;
}

/** The stored set; null if there is none. */
export async function findSet(client: SessionClient, { id }: NewSet) {
  return (await client.from("value_sets").select("id, name").eq("id", id).maybeSingle().throwOnError()).data;
}

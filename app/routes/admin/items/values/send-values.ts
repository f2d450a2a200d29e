import type { SessionClient } from "#app/features/session/session-client.ts";
import { currentSession } from "#app/features/session/session-store.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { recheckRoles } from "#app/routes/admin/items/edit/save-item.ts";

/** A value to publish; `was` is the one that the editor saw, and the same as `value` in a check. */
export type SentValue = {
  item_id: string;
  field: string;
  value: string;
  was: string;
  note?: string;
  reason_code?: string;
};

/** Why values are published: for each without a reason of its own. */
export type SentReason = { reason_code: string; note: string; evidence_url?: string; picture?: string };

export type SentOutcome = {
  item_id: string;
  field: string;
  outcome: string;
  why: string | null;
  set_id: string | null;
};

/**
 * Publishes values in one transaction. What was published although its answer was lost counts, also at the next
 * attempt; if only some of it is found, there is no outcome of the rest.
 * @throws the service's error if nothing was published, also if the role was lost
 */
export async function sendValues(
  client: SessionClient,
  cells: readonly SentValue[],
  reason: SentReason,
): Promise<SentOutcome[]> {
  const { data, error } = await client.rpc("publish_values", { cells: [...cells], ...reason });
  if (error?.code === "42501") await recheckRoles(client);
  if (error && !isUnanswered(error)) throw error;
  const isUnsure = error !== null || data.some(({ outcome }) => outcome === "changed_meanwhile");
  const arrived = isUnsure ? await readArrived(client, cells).catch(() => []) : [];
  if (error && arrived.length === 0) throw error;
  const found = new Set(arrived.map(placeOf));
  return [...(data ?? []).filter((row) => !found.has(placeOf(row))), ...arrived];
}

export const placeOf = ({ item_id, field }: { item_id: string; field: string }) => `${item_id}/${field}`;

/** Those of the values that this person's latest proposals hold: still in force, or waiting for a second person. */
async function readArrived(client: SessionClient, cells: readonly SentValue[]): Promise<SentOutcome[]> {
  const { data } = await client
    .from("value_proposals")
    .select("item_id, field, old_value, new_value, state, why, set_id, value_sets(state), items(*)")
    .eq("proposed_by", currentSession().session?.user.id ?? "")
    .in("state", ["published", "waiting"])
    .order("id", { ascending: false })
    .limit(cells.length)
    .throwOnError();
  const wanted = new Map(cells.map((cell) => [placeOf(cell), cell]));
  return data.flatMap(({ items, state, why, set_id, value_sets, ...row }) => {
    const cell = wanted.get(placeOf(row));
    const isSent = cell?.value === (row.new_value ?? "") && cell.was === (row.old_value ?? "");
    const isInForce =
      state === "waiting" ||
      (value_sets?.state === "published" && items[row.field as keyof typeof items] === row.new_value);
    return isSent && isInForce
      ? [{ item_id: row.item_id, field: row.field, outcome: state, why, set_id }]
      : [];
  });
}

/** Why a value waits for a second person, within a sentence. */
export function explainWait(why: string | null): string {
  return WAITS[why ?? ""] ?? "it needs one";
}

const WAITS: Record<string, string> = {
  large: "the change is large",
  dear: "the item is one of the dearest",
  new_editor: "a new editor’s changes wait",
};

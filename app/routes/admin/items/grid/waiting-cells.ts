import type { SessionClient } from "#app/features/session/session-client.ts";
import { type CellKey, keyOf } from "./model/edits.ts";
import type { CellField } from "./model/fields.ts";

/** A value proposed for a cell, and why it waits for a second person. */
export type WaitingCell = { text: string; why: string };

/** The most rows of one response. */
const MOST = 1000;

/** The cells that wait for a second person, whoever proposed them; the latest if there are several for one cell. */
export async function readWaitingCells(client: SessionClient): Promise<ReadonlyMap<CellKey, WaitingCell>> {
  const { data } = await client
    .from("value_proposals")
    .select("item_id, field, new_value, why")
    .eq("state", "waiting")
    .order("id", { ascending: false })
    .limit(MOST)
    .throwOnError();
  return new Map(
    data
      .toReversed()
      .map((row) => [
        keyOf(row.item_id, row.field as CellField),
        { text: row.new_value ?? "", why: row.why ?? "" },
      ]),
  );
}

export const NO_WAITING: ReadonlyMap<CellKey, WaitingCell> = new Map();

import type { Item } from "#app/features/items/item-queries.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import type { FormTexts } from "#app/routes/admin/items/edit/item-texts.ts";
import { recheckRoles } from "#app/routes/admin/items/edit/save-item.ts";
import { typedNumber } from "#domain/text/typed-number.ts";
import { placeOf, sendValues } from "./send-values.ts";

/** What an editor may change of an item, in the order of the form. */
export const VALUE_FIELDS = [
  "current_value",
  "permanent_value",
  "demand",
  "beli_price",
  "robux_price",
] as const satisfies readonly (keyof Item)[];

/** The reason code of values that were checked and left unchanged. */
export const STILL_RIGHT_CODE = "still_right";

export type ReasonChoice = { code: string; label: string };

/** The reasons to choose from, in order. @throws the service's error */
export async function readReasons(client: SessionClient): Promise<ReasonChoice[]> {
  const { data } = await client
    .from("value_reasons")
    .select("code, label")
    .eq("is_offered", true)
    .order("place")
    .throwOnError();
  return data;
}

/** The sets to which drafts can be added. @throws the service's error */
export async function readOpenSets(client: SessionClient) {
  const { data } = await client
    .from("value_sets")
    .select("id, name")
    .eq("state", "draft")
    .order("created_at")
    .throwOnError();
  return data;
}

export type FieldOutcome = { field: string; outcome: string; why: string | null };

/**
 * Publishes the fields that differ from what the editor saw, or adds them to the chosen set. If none differs, the item
 * is marked as still right. @throws the service's error, also if the role was lost
 */
export async function publishItemValues(
  client: SessionClient,
  item: Pick<Item, "id">,
  before: FormTexts,
  texts: FormTexts,
  picture: string | null,
): Promise<FieldOutcome[]> {
  const changed = VALUE_FIELDS.filter((field) => texts[field] !== before[field]);
  const fields = changed.length > 0 || texts.set_id ? changed : (["current_value"] as const);
  const cells = fields.map((field) => ({
    item_id: item.id,
    field,
    value: typedNumber(String(texts[field] ?? "")),
    was: String(before[field] ?? ""),
  }));
  const reason = {
    reason_code: String(texts.reason_code),
    note: String(texts.note ?? ""),
    ...(texts.evidence_url && { evidence_url: String(texts.evidence_url) }),
    ...(picture && { picture }),
  };
  if (!texts.set_id) {
    const sent = new Map((await sendValues(client, cells, reason)).map((row) => [placeOf(row), row]));
    return cells.map((cell) => sent.get(placeOf(cell)) ?? { ...cell, outcome: "refused", why: UNKNOWN });
  }
  const { data, error } = await client.rpc("draft_values", {
    set_id: String(texts.set_id),
    cells,
    ...reason,
  });
  if (error?.code === "42501") await recheckRoles(client);
  if (error) throw error;
  return data;
}

/** Of a field that was sent with another one, of which alone it is known that it arrived. */
const UNKNOWN = "The answer was lost: please publish it once more";

/** Records that the value which the editor sees is still right. @throws an error that says why it was not recorded */
export async function confirmValue(client: SessionClient, item: Item): Promise<void> {
  const texts = { current_value: item.current_value, reason_code: STILL_RIGHT_CODE };
  const [checked] = await publishItemValues(client, item, texts, texts, null);
  if (checked?.outcome === "changed_meanwhile")
    throw new Error(`${item.name} was changed by somebody else in the meantime: nothing was confirmed.`);
  if (checked?.outcome !== "published") throw new Error(`${item.name}: ${checked?.why}.`);
}

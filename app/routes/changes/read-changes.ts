import { listCategories } from "#app/features/categories/category-queries.ts";
import type { ChangeMaker, ChangeReason } from "#app/features/items/change-reason.ts";
import type { Client } from "#app/features/site/client.ts";
import type { ChangeKind, ChangeQuery } from "./change-query.ts";

const CHANGES_A_PAGE = 50;

/** A change of a value, a demand or a status. */
export type ShownChange = ChangeReason &
  ChangeMaker & {
    /** Unique within its kind: a demand's change may have the id of a value's. */
    id: number;
    kind: ChangeKind;
    /** For values only. */
    mode: string | null;
    old_value: string | null;
    new_value: string | null;
    change_percent: number | null;
    changed_at: string;
    evidence_url: string | null;
    /** A public file. */
    picture: string | null;
    item: { name: string; slug: string; image_url: string | null };
  };

/** The changes for a query, newest first, and the categories to choose from; null if the read fails. */
export async function readChanges(client: Client, query: ChangeQuery) {
  const [categories, { data, error }] = await Promise.all([
    listCategories(client),
    client.rpc("list_changes", { ...argumentsOf(query), most: CHANGES_A_PAGE + 1 }),
  ]);
  if (error) return null;
  const changes = data.slice(0, CHANGES_A_PAGE).map(
    ({ item_name, item_slug, item_image, ...change }): ShownChange => ({
      ...change,
      kind: change.kind as ChangeKind,
      item: { name: item_name, slug: item_slug, image_url: item_image },
    }),
  );
  return {
    changes,
    hasMore: data.length > CHANGES_A_PAGE,
    categories: categories.map(({ slug, name }) => ({ slug, name })),
  };
}

export type ReadChanges = NonNullable<Awaited<ReturnType<typeof readChanges>>>;

/** Omits what is not asked for, so that the function's defaults apply. */
function argumentsOf({ item, kind, category, mode, size, before }: ChangeQuery) {
  return {
    ...(item && { item_like: item }),
    ...(kind && { of_kind: kind }),
    ...(category && { of_category: category }),
    ...(mode && { of_mode: mode }),
    ...(size && { of_size: size }),
    ...(before && { before }),
  };
}

/** A change's cursor in the address. */
export function cursorOf({ kind, id }: ShownChange): string {
  return kind === "value" ? String(id) : `d${id}`;
}

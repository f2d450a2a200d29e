import { listCategories } from "#app/features/categories/category-queries.ts";
import type { ChangeMaker, ChangeReason } from "#app/features/items/change-reason.ts";
import type { Client } from "#app/features/site/client.ts";
import type { ChangeKind, ChangeQuery } from "./change-query.ts";

const CHANGES_A_PAGE = 50;

/** A change of a value, of a demand or of a status. */
export type ShownChange = ChangeReason &
  ChangeMaker & {
    /** Of one kind alone: a demand's change may have the id of a value's. */
    id: number;
    kind: ChangeKind;
    /** Of a value. */
    mode: string | null;
    old_value: string | null;
    new_value: string | null;
    change_percent: number | null;
    changed_at: string;
    evidence_url: string | null;
    /** A file that everybody may see. */
    picture: string | null;
    item: { name: string; slug: string; image_url: string | null };
  };

/**
 * Changes that a query asks for, newest first, whether there are older ones, and the categories to choose from; null
 * when the read fails.
 */
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

/** What is not asked for is left to the function. */
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

/** What stands in an address for a change. */
export function cursorOf({ kind, id }: ShownChange): string {
  return kind === "value" ? String(id) : `d${id}`;
}

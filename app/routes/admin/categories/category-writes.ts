import type { SessionClient } from "#app/features/session/session-client.ts";
import { isAddedAlready, isSavedAlready, requireRow } from "#app/routes/admin/shared/require-row.ts";
import type { CategoryInput } from "#domain/categories/category.ts";
import type { Tables } from "#supabase/database.types.ts";

export type Category = Tables<"categories">;

/** A slug that exists already is an error of its field (P18). */
const TAKEN = { field: "slug", message: "A category with this slug already exists" };

export async function addCategory(
  client: SessionClient,
  input: CategoryInput,
  isRepeat: boolean,
): Promise<void> {
  const answer = await client.from("categories").insert(input).select("id").maybeSingle();
  if (await isAddedAlready(answer, isRepeat, input, () => findCategory(client, input))) return;
  requireRow(answer, "category", TAKEN);
}

/** The stored category with this slug. @throws the service's error */
export async function findCategory(client: SessionClient, { slug }: CategoryInput): Promise<Category | null> {
  return (await client.from("categories").select("*").eq("slug", slug).maybeSingle().throwOnError()).data;
}

/** Saves the category only if it has not changed since it was read, or holds the input already. */
export async function saveCategory(
  client: SessionClient,
  { id, updated_at }: Category,
  input: CategoryInput,
): Promise<void> {
  const writing = client.from("categories").update(input).eq("id", id).eq("updated_at", updated_at);
  const answer = await writing.select("id").maybeSingle();
  const now = client.from("categories").select("*").eq("id", id).maybeSingle();
  if (await isSavedAlready(answer, updated_at, input, now)) return;
  requireRow(answer, "category", TAKEN);
}

/** The database refuses to delete a category that has items, with a message that says so (P18). */
export async function deleteCategory(client: SessionClient, { id }: Category): Promise<void> {
  requireRow(await client.from("categories").delete().eq("id", id).select("id").maybeSingle(), "category");
}

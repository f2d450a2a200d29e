import type { Item } from "#app/features/items/item-queries.ts";
import { askForRoles } from "#app/features/session/ask-for-roles.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { currentSession } from "#app/features/session/session-store.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import {
  findItem,
  type ItemPatch,
  insertItem,
  updateItem,
} from "#app/routes/admin/items/admin-item-queries.ts";
import { holds } from "#app/routes/admin/shared/holds.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import type { ItemWrite } from "#domain/items/item-import.ts";
import { discardItemImage, uploadItemImage } from "./item-image-files.ts";

/** Another item already has this slug (P18). */
function slugTaken(slug: string): FormError {
  return new FormError(`Another item already has the slug ${slug}`, { fields: ["slug"] });
}

/** The result of saving an existing item: saved, changed by someone else first, or deleted. */
export type SaveResult = { saved: Item } | { theirs: Item } | { isGone: true };

/** The image to save: a file to upload, or an address that stays (null for none). */
export type ImageChoice = { file: File } | { address: string | null };

type Uploads = {
  /** Called when the upload starts and ends. */
  onUpload(isUploading: boolean): void;
  /** The addresses of files that an earlier attempt uploaded without a response for the item. */
  uploaded: WeakMap<File, string>;
};

/** Adds an item with its image; a repeat after a lost answer adds it once. @throws FormError, or the service's error */
export async function addItem(
  client: SessionClient,
  item: Omit<ItemWrite, "image_url">,
  image: ImageChoice,
  uploads: Uploads,
  isRepeat: boolean,
): Promise<Item> {
  return withImage(client, image, uploads, async (image_url) => {
    try {
      return await insertItem(client, { ...item, image_url });
    } catch (error) {
      if (!isSlugTaken(error)) throw error;
      const there = await findItem(client, { slug: item.slug });
      const isOwn = image_url
        ? there?.image_url === image_url
        : isRepeat && there && holds(there, { ...item, image_url });
      if (there && isOwn) return there;
      throw slugTaken(item.slug);
    }
  });
}

/** Saves an item only over the state that was edited. @throws FormError, or the service's error */
export async function saveItem(
  client: SessionClient,
  base: Pick<Item, "id" | "updated_at">,
  patch: ItemPatch & { slug: string },
): Promise<SaveResult> {
  const saved = await updateItem(client, base, patch).catch((error) => {
    throw isSlugTaken(error) ? slugTaken(patch.slug) : error;
  });
  if (saved) return { saved };
  const theirs = await findItem(client, { id: base.id });
  // After losing the role everything is visible and nothing writable.
  if (theirs?.updated_at === base.updated_at) await refuseLostRole(client);
  return theirs ? { theirs } : { isGone: true };
}

async function refuseLostRole(client: SessionClient): Promise<never> {
  await recheckRoles(client);
  throw new Error("Nothing was saved: you don't have admin permissions");
}

/** Makes the area close at once; what was typed stays in this browser. */
export async function recheckRoles(client: SessionClient): Promise<void> {
  const userId = currentSession().session?.user.id;
  if (userId) await askForRoles(client, userId);
}

/**
 * Uploads first, then saves. A refused save deletes the upload (P18); one without a response, or one that waits for a
 * choice, keeps it for the next attempt.
 */
export async function withImage<T>(
  client: SessionClient,
  image: ImageChoice,
  { onUpload, uploaded }: Uploads,
  save: (address: string | null) => Promise<T>,
): Promise<T> {
  if ("address" in image) return save(image.address);
  const { file } = image;
  const address = uploaded.get(file) ?? (await upload(client, file, onUpload));
  uploaded.set(file, address);
  try {
    return await save(address);
  } catch (error) {
    if (isUnanswered(error as Error)) throw error;
    uploaded.delete(file);
    await discardItemImage(client, address).catch(() => undefined);
    throw error;
  }
}

async function upload(
  client: SessionClient,
  file: File,
  onUpload: (isUploading: boolean) => void,
): Promise<string> {
  onUpload(true);
  try {
    return await uploadItemImage(client, file);
  } catch (cause) {
    // Nothing else was sent (8.error.16).
    throw new FormError("Failed to upload image", { title: "Upload Failed", cause });
  } finally {
    onUpload(false);
  }
}

function isSlugTaken(error: unknown): boolean {
  const { code, message = "", details = "" } = error as { code?: string; message?: string; details?: string };
  return code === "23505" && `${message} ${details}`.includes("slug");
}

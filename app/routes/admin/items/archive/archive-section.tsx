import { useState } from "react";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { signAddresses } from "#app/features/pictures/sign-addresses.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { countOf } from "#domain/text/counts.ts";
import type { Tables } from "#supabase/database.types.ts";

const STEP = 24;

/** Deleted items, newest first; each can be restored with one press. */
export function ArchiveSection() {
  const [limit, setLimit] = useState(STEP);
  const archive = useRead(["archived_items", limit], (client) => listArchive(client, limit), {
    keepsPrevious: true,
  });
  return (
    <ReadState read={archive} what="The archive">
      {({ items, hasMore }) => (
        <div className="grid gap-4">
          <RowList
            rows={items}
            empty="The archive is empty. Deleted items come here with their whole history."
            className="grid gap-x-6 gap-y-3 lg:grid-cols-2"
            label="Archived items"
          >
            {(item) => <ArchiveEntry key={item.id} item={item} />}
          </RowList>
          {hasMore && (
            <Button className="justify-self-start" onClick={() => setLimit(limit + STEP)}>
              Show older items
            </Button>
          )}
        </div>
      )}
    </ReadState>
  );
}

function ArchiveEntry({ item }: { item: ShownItem }) {
  const { isBusy, act } = useAct("items");
  const { id, name, slug, picture, archived_at, value_change_count, profiles } = item;

  const restore = () =>
    act(async (client) => {
      const restored = await restoreItem(client, id);
      showToast({ title: "Item restored", description: describeRestored(restored) });
    });

  return (
    <li className="flex items-center gap-3">
      <ItemImage src={picture} size={40} />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="wrap-anywhere text-muted text-sm">
          {slug} · {countOf(value_change_count, "value change")} · deleted <Moment at={archived_at} />
          {profiles && ` by ${profiles.username}`}
        </p>
      </div>
      <Button size="sm" disabled={isBusy} aria-label={`Restore ${name}`} onClick={() => void restore()}>
        Restore
      </Button>
    </li>
  );
}

function describeRestored({ name, category_id }: Item): string {
  const isBack = `${name} is back with its whole history.`;
  return category_id === null ? `${isBack} Its category is gone: choose another one for it.` : isBack;
}

type ArchivedItem = Pick<
  Tables<"archived_items">,
  "id" | "name" | "slug" | "image_url" | "archived_at" | "value_change_count"
> & { profiles: { username: string } | null };

type ShownItem = ArchivedItem & { picture: string | null };
type ArchivePage = { items: ShownItem[]; hasMore: boolean };

// Each of these throws the service's error if it refuses.

/** The latest deleted items, with who deleted them. */
async function listArchive(client: SessionClient, limit: number): Promise<ArchivePage> {
  const { data } = await client
    .from("archived_items")
    .select("id, name, slug, image_url, archived_at, value_change_count, profiles(username)")
    .order("archived_at", { ascending: false })
    .order("id")
    .limit(limit + 1)
    .throwOnError();
  return { items: await addPictures(client, data.slice(0, limit)), hasMore: data.length > limit };
}

/** The file of a picture in the bucket of items' images. */
const FILE = /\/storage\/v1\/(?:object|render\/image)\/public\/item-images\/([^?#]+)/;
const fileOf = ({ image_url }: ArchivedItem) => FILE.exec(image_url ?? "")?.[1] ?? "";

/**
 * Items with an address of their picture that works for admins: while only archived items have it, it is not public. One
 * that cannot be signed is still public, or cannot be shown; the list needs none.
 */
async function addPictures(client: SessionClient, items: ArchivedItem[]): Promise<ShownItem[]> {
  const files = items.map(fileOf).filter((file) => file !== "");
  const addresses = await signAddresses(client, "archived-images", files).catch(() => []);
  const signed = new Map(files.map((file, index) => [file, addresses[index]]));
  return items.map((item) => ({
    ...item,
    picture: signed.get(fileOf(item)) || item.image_url,
  }));
}

/** Restores an item with its whole ledger; returns the restored item. */
async function restoreItem(client: SessionClient, id: string): Promise<Item> {
  const { data } = await client.rpc("restore_item", { item_id: id }).single().throwOnError();
  return data;
}

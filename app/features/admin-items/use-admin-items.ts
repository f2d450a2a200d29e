import { useEffect, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { listAdminItems } from "./admin-item-queries.ts";

/** All items by name; undefined while they are read, null when they cannot be. */
export function useAdminItems(): Item[] | null | undefined {
  const site = useSiteConfig();
  const [items, setItems] = useState<Item[] | null>();
  useEffect(() => {
    openSession(site)
      .then(listAdminItems)
      .then(setItems, () => setItems(null));
  }, [site]);
  return items;
}

import { useEffect, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { type ChatItems, readItems } from "./quick-reads.ts";

/** The catalogue, loaded on first use; null until then, or if it cannot be read. */
export function useCatalogue(client: SessionClient, isNeeded: boolean): ChatItems | null {
  const [items, setItems] = useState<ChatItems | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    readItems(client).then(setItems, () => undefined);
  }, [client, isNeeded]);
  return items;
}

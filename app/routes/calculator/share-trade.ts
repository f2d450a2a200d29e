import { sharePage } from "#app/features/sharing/share-page.ts";

/** Hands on this page's address, which holds the trade. */
export function shareTrade(): Promise<void> {
  return sharePage("Anyone with the link can see this trade.");
}

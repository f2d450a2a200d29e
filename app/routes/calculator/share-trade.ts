import { sharePage } from "#app/features/sharing/share-page.ts";

/** Shares this page's address, which contains the trade. */
export function shareTrade(): Promise<void> {
  return sharePage("Anyone with the link can see this trade.");
}

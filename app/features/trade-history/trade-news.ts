const NAME = "trade-history";

/** Tells this browser's other tabs that a trade was saved or deleted. */
export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(null);
  channel.close();
}

/** Calls back whenever another tab saved or deleted a trade; returns the end of it. */
export function hearOtherTabs(listener: () => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = listener;
  return () => channel.close();
}

const NAME = "trade-history";

/** What happened to the history in another tab of this browser: a trade was saved, or one was deleted. */
export type TradeNews = { saved: true } | { deleted: string };

/** Tells this browser's other tabs. */
export function tellOtherTabs(news: TradeNews): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(news);
  channel.close();
}

/** Calls back with the news of other tabs; returns the end of it. */
export function hearOtherTabs(listener: (news: TradeNews) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<TradeNews>) => listener(data);
  return () => channel.close();
}

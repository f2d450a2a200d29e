const NAME = "changed-tables";

/** Tells this browser's other tabs that a table was changed here; for what comes by no live channel. */
export function tellOtherTabs(table: "trade_history"): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(table);
  channel.close();
}

/** Calls back with each table that another tab changed; returns the end of it. */
export function followOtherTabs(changed: (table: "trade_history") => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }) => changed(data);
  return () => channel.close();
}

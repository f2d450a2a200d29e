const NAME = "changed-tables";

/** Notifies this browser's other tabs of a changed table, for tables without a live channel. */
export function notifyOtherTabs(table: "trade_history"): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(table);
  channel.close();
}

/** Calls back with each table that another tab changed; returns a stop function. */
export function followOtherTabs(changed: (table: "trade_history") => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }) => changed(data);
  return () => channel.close();
}

import type { Server } from "node:http";

/** For requests in progress. */
export const FINISH_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Accepts no more connections, and resolves once those there are have ended. */
export async function closeServer(server: Server, closeSockets = () => {}): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Node waits for WebSockets to end, but never ends them itself.
  closeSockets();
  // Nor connections that become idle only now, before their time is over.
  const looks = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
  const late = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
  await closed;
  clearInterval(looks);
  clearTimeout(late);
}

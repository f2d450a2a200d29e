import type { Server } from "node:http";
import { Server as Listener } from "node:net";

/** For requests in progress. */
const FINISH_WITHIN_MS = 10_000;
/** A proxy sends a request within this, if it was about to, on a connection that seems idle here. */
const IDLE_MS = 100;
const LOOK_EVERY_MS = 50;

/**
 * Accepts no more connections, and resolves once those there are have ended. Each gets one more response if a request
 * comes within `idleFor` milliseconds, so that none arrives on a connection that was just closed: a proxy may not repeat
 * a POST, and answers it with 502. Responses say `connection: close` from now on (guarded-server.ts).
 */
export async function closeServer(server: Server, closeSockets = () => {}, idleFor = IDLE_MS): Promise<void> {
  // That of Node's HTTP server closes idle connections at once.
  const closed = new Promise<void>((resolve) => Listener.prototype.close.call(server, () => resolve()));
  // Node waits for WebSockets to end, but never ends them itself.
  closeSockets();
  let looks: NodeJS.Timeout | undefined;
  // After reading what has arrived: when the machine was busy, the timer is due before the request is read.
  const closeIdle = () => setImmediate(() => server.closeIdleConnections());
  const idle = setTimeout(() => {
    closeIdle();
    // Also connections that become idle only now, before their time is over.
    looks = setInterval(closeIdle, LOOK_EVERY_MS);
  }, idleFor);
  const late = setTimeout(() => server.closeAllConnections(), idleFor + FINISH_WITHIN_MS);
  await closed;
  clearTimeout(idle);
  clearInterval(looks);
  clearTimeout(late);
  // Ends the HTTP server's own timer.
  server.close();
}

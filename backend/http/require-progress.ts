import type { IncomingMessage } from "node:http";

/** As slow as the slowest phone network; whoever sends less holds a connection for its own sake. */
const BYTES_PER_SECOND = 1_000;

export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/**
 * Calls `end` if a body stops arriving before it is complete. It may take as long as it likes: Node's own limit is for
 * the whole of a request, and so for the size of a file that a slow connection can send.
 * @param period milliseconds within which some of it must arrive
 */
export function requireProgress(request: IncomingMessage, period: number, end: () => void): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  const least = (BYTES_PER_SECOND * period) / 1_000;
  let arrived = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete) return stop();
    if (socket.bytesRead - arrived >= least) arrived = socket.bytesRead;
    else {
      stop();
      end();
    }
  }, period).unref();
  const stop = () => clearInterval(timer);
  request.once("close", stop);
}

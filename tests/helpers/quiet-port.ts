import { createServer } from "node:net";

/**
 * One that nobody listens on, and that the system gives to nobody by itself: it may be taken much later. Linux gives away those
 * from 32768 on.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer()
        .once("error", () => resolve(false))
        .listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

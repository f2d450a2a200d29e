import { createServer } from "node:net";
import { listen } from "./listen.ts";

/**
 * One that nobody listens on, and that the system gives to nobody by itself: it may be taken much later. Linux gives away those
 * from 32768 on.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    const probe = await listen(createServer(), port).catch(() => null);
    await probe?.close();
    if (probe) return port;
  }
}

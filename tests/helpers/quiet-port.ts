import { createServer } from "node:net";
import { listen } from "./listen.ts";

/**
 * A free port outside the ephemeral range, so the system will not hand it out before the test uses it. On Linux that
 * range starts at 32768.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    const probe = await listen(createServer(), port).catch(() => null);
    await probe?.close();
    if (probe) return port;
  }
}

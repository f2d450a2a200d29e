import { createServer } from "node:net";
import { listen } from "./listen.ts";

/** One that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}

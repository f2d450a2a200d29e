import { createServer } from "node:net";
import { listen } from "./listen.ts";

/** A port that is free right now. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}

import { setTimeout as wait } from "node:timers/promises";

/** The key that the pages of the site at `address` carry, as any visitor finds it; a crowded site is asked again. */
export async function readAnonKey(address: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const page = await (await fetch(`${address}/auth`)).text();
    const [key] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(page) ?? [];
    if (key) return key;
    if (attempt > 30) throw new Error(`a page without a key: ${page.slice(0, 500)}`);
    await wait(500);
  }
}

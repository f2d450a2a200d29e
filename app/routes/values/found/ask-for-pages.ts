import { type FoundItems, pageAddress } from "./found-items.ts";

/** Pages of matching items from the server; null if one of them failed to load. */
export async function askForPages(
  query: string,
  numbers: readonly number[],
  signal?: AbortSignal,
): Promise<FoundItems[] | null> {
  try {
    return await Promise.all(
      numbers.map(async (page) => {
        const answer = await fetch(pageAddress("/values/found.json", query, page), { signal });
        if (!answer.ok) throw new TypeError("No page");
        return answer.json();
      }),
    );
  } catch {
    return null;
  }
}

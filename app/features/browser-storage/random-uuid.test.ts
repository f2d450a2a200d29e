import { expect, test } from "vitest";
import { addRandomUuid } from "./random-uuid.ts";

test("pages without TLS have random UUIDs, too", () => {
  const bare = { getRandomValues: crypto.getRandomValues.bind(crypto) } as Crypto;
  addRandomUuid(bare);
  const ids = Array.from({ length: 100 }, () => bare.randomUUID());
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(100);
});

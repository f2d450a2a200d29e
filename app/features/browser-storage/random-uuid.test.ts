import { expect, test, vi } from "vitest";

test("pages without TLS have random UUIDs, too", async () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  await import("./random-uuid.ts");
  const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(100);
});

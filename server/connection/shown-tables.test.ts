import { expect, test } from "vitest";
import type { Backend } from "#backend/backend.ts";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import { watchShownTables } from "./shown-tables.ts";

/** The subjects notified after a request that the backend answers with this status. */
async function notifiedBy(method: string, path: string, status: number): Promise<(string | undefined)[]> {
  const backend = { onChange: () => {}, onGap: () => {}, handle: async () => ({ status }) };
  const watch = watchShownTables(backend as unknown as Backend, SINGLE_PROCESS);
  const told: (string | undefined)[] = [];
  watch.onChange((subject) => told.push(subject));
  await watch.handler.handle({ method, url: `/rest/v1/${path}`, headers: {}, body: null });
  return told;
}

test.each([
  ["POST", "items", 401],
  ["PATCH", "profiles?id=eq.1", 403],
  ["POST", "rpc/import_items", 403],
  ["POST", "rpc/nothing", 404],
  ["DELETE", "user_ratings", 500],
])("%s %s that is refused with %i leaves the kept pages", async (method, path, status) => {
  expect(await notifiedBy(method, path, status)).toEqual([]);
});

test.each([
  ["GET", "items"],
  ["POST", "rpc/list_traders"],
  ["POST", "chat_messages"],
])("%s %s changes no page", async (method, path) => {
  expect(await notifiedBy(method, path, 200)).toEqual([]);
});

test.each([
  ["PATCH", "items?id=eq.1", 204, "catalogue"],
  ["POST", "rpc/import_items", 200, "catalogue"],
  ["POST", "rpc/undo_import", 200, "catalogue"],
  ["POST", "rpc/undo_value_change", 200, "catalogue"],
  ["POST", "user_ratings", 201, "community"],
  ["POST", "rpc/delete_own_account", 204, "community"],
])("%s %s makes pages stale before its answer", async (method, path, status, subject) => {
  expect(await notifiedBy(method, path, status)).toEqual([subject]);
});

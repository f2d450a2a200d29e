import { expect, test } from "vitest";
import type { Client } from "#app/features/site/client.ts";
import { createDeliver } from "./deliver.ts";
import { createRoomStore } from "./room-store.ts";

type Answer = { data: unknown; error: unknown; status: number };
type Session = { data: { session: unknown }; error: unknown } | Error;

/** A fake of the official client, as far as messages need it: its answers and its session. */
function clientThat(answer: Answer, session: Session = { data: { session: {} }, error: null }) {
  const request = new Proxy(
    {},
    {
      get: (_, name) =>
        name === "then" ? (resolve: (value: Answer) => void) => resolve(answer) : () => request,
    },
  );
  return {
    from: () => request,
    auth: { getSession: async () => (session instanceof Error ? Promise.reject(session) : session) },
  } as unknown as Client;
}

function deliverBy(client: Client) {
  const reads = { watch: () => () => {}, refresh: () => {}, readOlder: async () => {}, stop: () => {} };
  const deliver = createDeliver(client, createRoomStore(), reads as never, {
    id: "a",
    username: () => "Ana",
  });
  return deliver({ id: "m", message: "good day" });
}

const refusal = (status: number, code: string) => ({ data: null, error: { code, message: "no" }, status });
const unreachable = { name: "AuthRetryableFetchError", message: "Failed to fetch" };

test.each([
  [
    "no answer",
    { data: null, error: { message: "TypeError: Failed to fetch" }, status: 0 },
    Number.POSITIVE_INFINITY,
  ],
  ["a database that is away", refusal(503, "PGRST001"), Number.POSITIVE_INFINITY],
  ["a proxy without a server", refusal(502, ""), 8],
  ["a text against the rules", refusal(400, "23514"), 1],
  ["a silence", refusal(403, "PT403"), 1],
])("%s may be tried so often", async (_what, answer, tries) => {
  expect(await deliverBy(clientThat(answer))).toMatchObject({ kind: "failed", tries });
});

test.each([
  ["is renewed meanwhile", { data: { session: {} }, error: null }, 2],
  ["cannot be renewed for now", { data: { session: null }, error: unreachable }, Number.POSITIVE_INFINITY],
  ["is over", { data: { session: null }, error: null }, 1],
  ["another tab holds on to", new Error("Acquiring an exclusive Navigator LockManager lock timed out"), 2],
])("a token that ended during an outage, of a session that %s", async (_what, session, tries) => {
  expect(await deliverBy(clientThat(refusal(401, "PGRST303"), session))).toMatchObject({ tries });
});

test("a message that is already stored counts as sent", async () => {
  expect(await deliverBy(clientThat(refusal(409, "23505")))).toEqual({ kind: "sent" });
});

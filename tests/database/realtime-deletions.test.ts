import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { openRealtime, type RealtimeTestServer, subscribe } from "#tests/helpers/realtime/realtime-server.ts";

const { Ana, Ben } = ACCOUNTS;
let testServer: RealtimeTestServer;

beforeAll(async () => {
  testServer = await openRealtime({ privateOnly: true });
});
afterAll(() => testServer.close());

test("a trader who listens to every table learns of no person from the end of their case", async () => {
  const heard: { table: string; eventType: string; old: object }[] = [];
  const channel = (await testServer.clientFor("Ben")).channel("catalogue", { config: { private: true } });
  for (const table of ["second_opinions", "reports", "ads"])
    channel.on("postgres_changes", { event: "*", schema: "public", table }, (change) =>
      heard.push(change as never),
    );
  const isListening = new Promise<void>((resolve) =>
    channel.on("system", {}, ({ extension }) => {
      if (extension === "postgres_changes") resolve();
    }),
  );
  expect(await subscribe(channel)).toBe("SUBSCRIBED");
  await isListening;
  await testServer.owner.query(
    `insert into public.second_opinions (user_id, asked_by) values ('${Ana.id}', '${Ben.id}')`,
  );
  await testServer.owner.query("delete from public.second_opinions");
  await testServer.owner.query("update public.ads set enabled = true where placement = 'values_grid'");
  await expect.poll(() => heard.at(-1)?.table).toBe("ads");
  expect(heard.map(({ table, eventType }) => [table, eventType])).toEqual([
    ["second_opinions", "DELETE"],
    ["ads", "UPDATE"],
  ]);
  expect(JSON.stringify(heard)).not.toContain(Ana.id);
});

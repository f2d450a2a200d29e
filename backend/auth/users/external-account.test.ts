import { expect, onTestFinished, test } from "vitest";
import { connectDatabase } from "#backend/postgres/database.ts";
import { openHookServer } from "#tests/helpers/auth/hook-server.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { createHooks } from "../hooks/create-hooks.ts";
import { defaultAuthConfig } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import { createOwnTables, createWithoutTables } from "../service/own-tables.ts";
import { UsedProofError, withAccount } from "./external-account.ts";

test.each([
  ["in the database", createOwnTables],
  ["in memory", createWithoutTables],
])(
  "an account is made although a deadlock rolled it back once, reported once, and its proof kept %s is spent",
  async (_, keep) => {
    const testDatabase = await createTestDatabase();
    const database = connectDatabase({ url: testDatabase.authUrl, max: 2 });
    const server = await openHookServer({ "/after": () => ({}) });
    onTestFinished(async () => {
      await server.close();
      await database.close();
      await testDatabase.drop();
    });
    const config = { ...defaultAuthConfig, hooks: { afterUserCreated: server.at("/after") } };
    const hooks = createHooks({
      addresses: config.hooks,
      times: config.hookTimes,
      database,
      log: expect.fail,
    });
    const afterwards: (() => Promise<unknown>)[] = [];
    const service = {
      config,
      database,
      hooks,
      own: keep(database),
      later: (work: () => Promise<unknown>) => void afterwards.push(work),
    } as unknown as AuthService;
    const client = { address: null, agent: null, device: null } as never;
    const verified = {
      identity: { provider: "web3", providerId: "one", data: {} },
      account: {},
      proof: { text: "signed", until: new Date(Date.now() + 60_000) },
    };
    let runs = 0;
    const signIn = () =>
      withAccount(service, client, verified, async (query, _run, { id }) => {
        runs++;
        if (runs === 1)
          await query("do $$ begin raise exception using errcode = 'deadlock_detected'; end $$");
        return id;
      });
    const id = await signIn();
    expect(runs).toBe(2);
    for (const work of afterwards) await work();
    expect(server.heard.map(({ told }) => told.user)).toMatchObject([{ id }]);
    await expect(signIn()).rejects.toThrow(UsedProofError);
  },
);

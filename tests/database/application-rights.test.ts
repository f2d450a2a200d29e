import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, become, becomeOwner } from "#tests/helpers/people.ts";
import { expectedReach, reachOf } from "./reach.ts";
import { FIXTURE } from "./rights-fixture.ts";
import { MATRIX, VERBS } from "./rights-matrix.ts";

const { id } = ACCOUNTS.Ana;
const database = ownDatabase(FIXTURE);

/** The client then acts as an application that Ana authorized. */
async function becomeApplication(client: Client) {
  await become(client, "Ana");
  const claims = { sub: id, role: "authenticated", client_id: "app" };
  await client.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
}

const cells = Object.entries(MATRIX).flatMap((table) =>
  VERBS.map((verb) => ({ name: table[0], table, verb, reach: table[1].rights.Guest[verb] })),
);

describe("an application reaches what an anonymous account would", () => {
  test.each(cells)("$verb $name: $reach", async ({ table, verb, reach }) => {
    const expected = await expectedReach(database.owner, { reach, person: "Ana", verb }, table);
    const reached = await database.as("Ana", async (client) => {
      await becomeApplication(client);
      return reachOf(client, verb, table);
    });
    expect(reached).toEqual(expected);
  });
});

test.each([
  "list_received_ratings()",
  "show_forced_name()",
  "list_own_reports()",
  "list_own_requests()",
  "show_own_standing()",
  "is_under_strikes() as it where it",
])("%s tells its user, but not the application", async (call) => {
  await database.as("Ana", async (client) => {
    const count = async () => (await client.query(`select from public.${call}`)).rowCount;
    await becomeOwner(client);
    await client.query(
      `insert into public.sanctions (user_id, kind, code, reason)
       select $1, kind, 'other', 'Rude' from unnest('{rename,picture,picture}'::text[]) as kind`,
      [id],
    );
    await client.query("insert into private.consent_log (child_id, act) values ($1, 'asked')", [id]);
    await become(client, "Ana");
    expect(await count()).toBeGreaterThan(0);
    await becomeApplication(client);
    expect(await count()).toBe(0);
  });
});

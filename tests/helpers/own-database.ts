import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { asPerson, type Person } from "./people.ts";

type OwnDatabase = {
  /** As superuser; set once the first test begins. */
  url: string;
  /** A superuser connection shared by all tests of the file. */
  owner: Client;
  /** Runs something as a user in a transaction and rolls it back. */
  as<Result>(person: Person, scene: (client: Client) => Promise<Result>): Promise<Result>;
};

/**
 * A database for a single test file, with Ana, Ben and Eve in it; `prepare` is SQL that its owner runs first. New
 * accounts are adults unless the test `asksAge`.
 */
export function ownDatabase(prepare = "", { asksAge = false } = {}): OwnDatabase {
  let database: TestDatabase;
  const own: OwnDatabase = {
    url: "",
    owner: new Client(),
    as: (person, scene) => asPerson(own.url, person, scene),
  };
  beforeAll(async () => {
    database = await createTestDatabase({ people: true, asksAge });
    own.url = database.url;
    own.owner = new Client({ connectionString: own.url });
    await own.owner.connect();
    await own.owner.query(prepare);
  });
  afterAll(async () => {
    await own.owner.end();
    await database.drop();
  });
  return own;
}

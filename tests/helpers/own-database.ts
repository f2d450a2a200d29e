import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { asPerson, type Person } from "./people.ts";

type OwnDatabase = {
  /** As superuser; filled when the first test begins. */
  url: string;
  /** A connection as superuser, which all tests of the file share. */
  owner: Client;
  /** Tries something in a transaction as a person, and takes back whatever that did. */
  as<Result>(person: Person, scene: (client: Client) => Promise<Result>): Promise<Result>;
};

/**
 * A database for one test file alone, with Ana, Ben and Eve in it; `prepare` is SQL that its owner runs first. Whoever gets
 * an account is grown up, except where it `asksAge`.
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

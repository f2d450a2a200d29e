import { Client } from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { writeDatabaseTypes } from "./write-database-types.ts";

test("supabase/database.types.ts says what the database is", async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await expect(await writeDatabaseTypes(client)).toMatchFileSnapshot("../../supabase/database.types.ts");
  } finally {
    await client.end();
    await database.drop();
  }
});

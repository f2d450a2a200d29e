import { Client } from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { forgetDeletedMessages } from "./forget-deleted-messages.ts";

test("what was deleted from the chat a day ago is gone for good when the server starts, and what is younger stays", async () => {
  const database = await createTestDatabase({ people: true });
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(
    `insert into public.deleted_chat_messages (id, user_id, username, message, created_at, deleted_at)
     select gen_random_uuid(), $1, 'Ana', age, now() - interval '2 days', now() - age::interval
     from unnest('{25 hours,24 hours,23 hours}'::text[]) as age`,
    [ACCOUNTS.Ana.id],
  );
  const stop = forgetDeletedMessages(database.url, (line) => expect.fail(line));
  await expect
    .poll(async () => (await owner.query("select message from public.deleted_chat_messages")).rows)
    .toEqual([{ message: "23 hours" }]);
  await stop();
  await owner.end();
  await database.drop();
});

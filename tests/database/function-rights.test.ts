import type { Client } from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, type Person } from "#tests/helpers/people.ts";
import { FIXTURE } from "./rights-fixture.ts";

const PEOPLE: Person[] = ["visitor", "Guest", "Ana", "Eve", "Mia", "Ned", "server"];

/** Every function of the API by who is let in; anybody else gets 42501. Ned is too new an editor to decide. */
const LET_IN: Record<string, string> = {
  "visitor Guest Ana Eve Mia Ned server":
    "appeal_ban count_moderation decide_as_parent delete_as_parent export_as_parent list_changes list_item_sources list_traders list_value_ranges measure_accuracy renew_parent_link show_ban show_to_parent show_trader",
  "Guest Ana Eve Mia Ned server":
    "find_own_username_fault is_under_strikes list_chat_faces list_known_words list_own_reports list_received_ratings may_operate show_forced_name show_own_standing suggest_usernames undo_value_change withdraw_proposals",
  "Guest Ana Eve Mia Ned":
    "delete_own_account end_own_session list_own_account_log list_own_requests list_own_sessions",
  "Ana Eve Mia Ned server": "answer_rating",
  "Ana Eve Mia Ned": "ask_for_word ask_parent choose_age_band",
  "Eve Ned":
    "create_value_set discard_value_set draft_values list_editor_days list_editor_names list_value_changes list_waiting_pictures list_work plan_value_set publish_value_set publish_values roll_back_value_set",
  "Eve Mia": "list_silence_makers",
  "Eve Mia server": "set_age_band",
  "Eve server": "import_items mark_game_update restore_item undo_import",
  Eve: "allow_word approve_proposals order_categories refuse_word reject_proposals reopen_word",
  server: "mail_contact_message",
};
const rows = Object.entries(LET_IN).flatMap(([people, names]) =>
  names.split(" ").map((name) => ({ name, people: people.split(" ") })),
);

const database = ownDatabase(`${FIXTURE};
  insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
    values (gen_random_uuid(), '${ACCOUNTS.Eve.id}', 'totp', 'verified', now(), now())`);

test("the list names every function of the schema public, and each has one form", async () => {
  const { rows: functions } = await database.owner.query(
    "select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1",
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(functions.map(({ name }) => name));
});

test.each(rows)("$name lets in $people", async ({ name, people }) => {
  const call = await callOf(name);
  const letIn: Person[] = [];
  for (const person of PEOPLE) if (await isLetIn(person, call)) letIn.push(person);
  expect(letIn).toEqual(people);
  // Without the second factor an admin is at most a trader.
  if (!people.includes("Ana")) expect(await isLetIn("Eve", call, "aal1"), "aal1").toBe(false);
});

/** The function with null for every parameter without a default. */
async function callOf(name: string): Promise<string> {
  const { rows: found } = await database.owner.query(
    `select string_agg('null::' || format_type(type, null), ', ' order by at) as parameters
     from pg_proc, unnest(proargtypes::oid[]) with ordinality as parameters (type, at)
     where pronamespace = 'public'::regnamespace and proname = $1 and at <= pronargs - pronargdefaults`,
    [name],
  );
  return `select * from public.${name}(${found[0].parameters ?? ""})`;
}

function isLetIn(person: Person, call: string, aal = "aal2"): Promise<boolean> {
  return database.as(person, async (client: Client) => {
    await client.query(
      "select set_config('request.jwt.claims', (current_setting('request.jwt.claims')::jsonb || $1)::text, true)",
      [JSON.stringify({ aal })],
    );
    return attempt(client, call).then(
      () => true,
      (error) => error.code !== "42501",
    );
  });
}

import { expect, test } from "vitest";
import type { Backend } from "#backend/backend.ts";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { REACHING_THEM, SHOWN_TABLES, watchShownTables } from "./shown-tables.ts";

const database = ownDatabase();

/** The subjects notified after a request that the backend answers with this status. */
async function notifiedBy(method: string, path: string, status: number): Promise<(string | undefined)[]> {
  const backend = { onChange: () => {}, onGap: () => {}, handle: async () => ({ status }) };
  const watch = watchShownTables(backend as unknown as Backend, SINGLE_PROCESS);
  const told: (string | undefined)[] = [];
  watch.onChange((subject) => told.push(subject));
  await watch.handler.handle({ method, url: `/${path}`, headers: {}, body: null });
  return told;
}

test.each([
  ["POST", "rest/v1/items", 401],
  ["PATCH", "rest/v1/profiles?id=eq.1", 403],
  ["POST", "rest/v1/rpc/import_items", 403],
  ["POST", "rest/v1/rpc/nothing", 404],
  ["DELETE", "rest/v1/user_ratings", 500],
])("%s %s that is refused with %i leaves the kept pages", async (method, path, status) => {
  expect(await notifiedBy(method, path, status)).toEqual([]);
});

test.each([
  ["GET", "rest/v1/items"],
  ["POST", "rest/v1/rpc/list_traders"],
  ["POST", "rest/v1/chat_messages"],
  ["POST", "storage/v1/object/avatar-uploads/me.png"],
  // Anybody may ask for it, and nothing is deleted.
  ["DELETE", "storage/v1/object/avatars"],
])("%s %s changes no page", async (method, path) => {
  expect(await notifiedBy(method, path, 200)).toEqual([]);
});

test.each([
  ["PATCH", "rest/v1/items?id=eq.1", 204, "catalogue"],
  ["POST", "rest/v1/rpc/import_items", 200, "catalogue"],
  ["POST", "rest/v1/rpc/undo_import", 200, "catalogue"],
  ["POST", "rest/v1/rpc/undo_value_change", 200, "catalogue"],
  ["POST", "rest/v1/user_ratings", 201, "community"],
  ["POST", "rest/v1/rpc/delete_own_account", 204, "community"],
  ["POST", "rest/v1/rpc/answer_rating", 204, "community"],
  ["POST", "rest/v1/sanctions", 201, "community"],
  ["DELETE", "storage/v1/object/avatars/me.png", 200, "community"],
  ["DELETE", "storage/v1/object/change-pictures/a.png", 200, "catalogue"],
  ["POST", "storage/v1/object/move", 200, undefined],
])("%s %s makes pages stale before its answer", async (method, path, status, subject) => {
  expect(await notifiedBy(method, path, status)).toEqual([subject]);
});

/** What clients may call or write to that changes no page. */
const CHANGING_NO_PAGE = [
  // Requests, proposals and plans, which are shown once they are granted, approved or published.
  "rpc/allow_word",
  "rpc/ask_for_word",
  "rpc/refuse_word",
  "rpc/reopen_word",
  "rpc/ask_parent",
  "rpc/renew_parent_link",
  "rpc/create_value_set",
  "rpc/discard_value_set",
  "rpc/draft_values",
  "rpc/plan_value_set",
  "rpc/reject_proposals",
  "rpc/withdraw_proposals",
  "value_proposals",
  "value_sets",
  "word_requests",
  "work_skips",
  // Of an account and its trades.
  "rpc/end_own_session",
  "rpc/export_as_parent",
  "rpc/suggest_usernames",
  "trade_history",
  "notice_mails",
  "editor_notices",
  // Mail, the chat and moderation.
  "rpc/appeal_ban",
  "rpc/mail_contact_message",
  "contact_messages",
  "chat_messages",
  "chat_mutes",
  "chat_originals",
  "chat_reactions",
  "chat_reports",
  "chat_silences",
  "deleted_chat_messages",
  "case_notes",
  "reports",
  "second_opinions",
  // Only the operator writes to these, with the service's own key.
  "former_slugs",
  "quick_phrases",
  "value_reasons",
];

test("whatever clients may call or write to makes pages stale, or is known to change none", async () => {
  const { rows } = await database.owner.query(
    `select distinct name from unnest(array['anon', 'authenticated', 'service_role']) as role, lateral (
       select 'rpc/' || proname as name from pg_proc
         where pronamespace = 'public'::regnamespace and provolatile = 'v' and has_function_privilege(role, oid, 'execute')
       union all
       select relname from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p')
           and (has_any_column_privilege(role, oid, 'insert, update') or has_table_privilege(role, oid, 'delete'))
     ) as writable`,
  );
  // Written to by functions and triggers only.
  const { item_value_changes: _, ...shown } = SHOWN_TABLES;
  const reaching = Object.keys(REACHING_THEM).filter((name) => !name.startsWith("object/"));
  expect([...Object.keys(shown), ...reaching, ...CHANGING_NO_PAGE].toSorted()).toEqual(
    rows.map(({ name }) => name).toSorted(),
  );
});

test("so does whatever they may store", async () => {
  const { rows } = await database.owner.query("select id from storage.buckets");
  const reaching = Object.keys(REACHING_THEM).filter((name) => name.startsWith("object/"));
  // Uploads wait for approval, and an item's picture is shown once its address is saved.
  const unseen = [
    "object/archived-images",
    "object/avatar-uploads",
    "object/change-uploads",
    "object/item-images",
  ];
  expect([...reaching, ...unseen].toSorted()).toEqual(
    ["object/move", ...rows.map(({ id }) => `object/${id}`)].toSorted(),
  );
});

test("every shown table is published", async () => {
  const { rows } = await database.owner.query(
    "select tablename as name from pg_publication_tables where pubname = 'supabase_realtime'",
  );
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(SHOWN_TABLES)));
});

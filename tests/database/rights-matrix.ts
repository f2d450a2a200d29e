import { ADD_EDITOR, ADD_MODERATOR, OWNERS, type Owner, type Person } from "#tests/helpers/people.ts";

export const VERBS = ["select", "insert", "update", "delete"] as const;
export type Verb = (typeof VERBS)[number];

/**
 * The rows a verb reaches: `refused` with 42501, allowed but affecting `none`, the user's `own`, or `all`.
 */
export type Reach = "refused" | "none" | "own" | "all";
type Rights = Record<Person, Record<Verb, Reach>>;

export type TableRights = {
  rights: Rights;
  /** The column with a row's owner; without one, all rows are treated alike. */
  owner?: string;
  /** The column that an update sets to its current value. */
  touch: string;
  /** A new row that this user would own. */
  newRow(person: Owner): Record<string, unknown>;
  /** Every column of the table: a new one fails the test until it is listed here. */
  columns: string;
  /** Columns that users may not read even in visible rows; the server reads all. */
  hidden?: string;
  /** The same, but only for visitors. */
  hiddenFromVisitors?: string;
  /** Columns that users' roles may write. */
  writes: { insert: string; update: string };
};

/**
 * Rights of each person as the letters of "select insert update delete": `r`efused, `n`one, `o`wn, `a`ll. Moderators
 * and editors have a trader's rights unless given.
 */
function rights(
  visitor: string,
  guest: string,
  trader: string,
  admin: string,
  server: string,
  moderator = trader,
  editor = trader,
): Rights {
  const words = { r: "refused", n: "none", o: "own", a: "all" } as const;
  const read = (letters: string) =>
    Object.fromEntries(
      VERBS.map((verb, index) => [verb, words[letters[index] as keyof typeof words]]),
    ) as Record<Verb, Reach>;
  return {
    visitor: read(visitor),
    Guest: read(guest),
    Ana: read(trader),
    Ben: read(trader),
    Eve: read(admin),
    Mia: read(moderator),
    Ned: read(editor),
    server: read(server),
  };
}

/** The other user in each person's new row; the fixture already has the other pairs. */
const PARTNER: Record<Owner, Owner> = {
  Ana: "Eve",
  Ben: "Eve",
  Eve: "Ben",
  Mia: "Eve",
  Ned: "Eve",
  Guest: "Eve",
};

const ITEM = "10000000-0000-4000-8000-000000000001";
/** An account whose profile and roles are missing, so that they can be inserted. */
const NEWCOMER = "d0000000-0000-4000-8000-00000000000d";
/** A user whom everybody has muted and who wrote nothing. */
const MUTED = "f0000000-0000-4000-8000-00000000000f";
const MESSAGE = {
  Ana: "c0000000-0000-4000-8000-00000000000a",
  Ben: "c0000000-0000-4000-8000-00000000000b",
  Eve: "c0000000-0000-4000-8000-00000000000e",
  Mia: "c0000000-0000-4000-8000-00000000001a",
  Ned: "c0000000-0000-4000-8000-00000000002a",
  Guest: "c0000000-0000-4000-8000-000000000010",
} as const;

/** A sanction on a user other than those tested. */
const SANCTION = "50000000-0000-4000-8000-000000000005";

/** Public names that are not taken. */
const EDITOR_NAMES: Record<Owner, string> = {
  Ana: "BraveFox100",
  Ben: "BraveFox200",
  Eve: "BraveFox300",
  Mia: "BraveFox400",
  Ned: "BraveFox500",
  Guest: "BraveFox600",
};

const ITEM_COLUMNS =
  "aliases beli_price category_id change_reason current_high current_low current_value custom_fields demand image_url is_permanent name permanent_high permanent_low permanent_previous_value permanent_value previous_value rarity robux_price slug status type updated_at";
const FIELD_COLUMNS = "display_order label name options required type updated_at visible";
const trade = JSON.stringify([{ id: ITEM, name: "x", value: "1", viewMode: "regular" }]);

/** Every table of the schema public: person × verb. The letters stand for select, insert, update, delete. */
export const MATRIX: Record<string, TableRights> = {
  admin_acts: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "arrr"),
    columns: "act admin_id at id new old person_id row_id table_name title",
    touch: "act",
    newRow: () => ({ act: "insert", table_name: "items", row_id: ITEM }),
    writes: { insert: "", update: "" },
  },
  ads: {
    rights: rights("arrr", "arnr", "arnr", "arar", "aaaa"),
    columns: "ad_code enabled id placement updated_at",
    touch: "enabled",
    newRow: () => ({ placement: "detail_sidebar" }),
    writes: { insert: "", update: "ad_code enabled updated_at" },
  },
  age_bands: {
    rights: rights("rrrr", "nrrr", "orrr", "orrr", "aaaa"),
    columns: "band user_id",
    owner: "user_id",
    touch: "band",
    newRow: () => ({ user_id: MUTED, band: "13-15" }),
    writes: { insert: "", update: "" },
  },
  appeals: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "aaaa", "arrr"),
    columns: "answer answered_at answered_by created_at granted message sanction_id",
    hidden: "answered_by",
    touch: "message",
    newRow: () => ({ sanction_id: SANCTION, message: "It was not me" }),
    writes: { insert: "message sanction_id", update: "answer granted" },
  },
  archived_items: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "arrr"),
    columns: "archived_at archived_by id image_url item name records slug value_change_count",
    touch: "archived_at",
    newRow: () => ({ id: NEWCOMER, item: { name: "x", slug: "x" }, records: {} }),
    writes: { insert: "", update: "" },
  },
  case_notes: {
    rights: rights("rrrr", "nrrn", "nrrn", "aoro", "aaaa", "aoro"),
    columns: "author_id created_at id note user_id",
    owner: "author_id",
    touch: "note",
    newRow: (person) => ({ user_id: MUTED, author_id: OWNERS[person].id, note: "Seen before" }),
    writes: { insert: "author_id note user_id", update: "" },
  },
  categories: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns: "created_at display_order icon id name slug updated_at",
    touch: "name",
    newRow: () => ({ slug: "new-group", name: "New Group" }),
    writes: {
      insert: "display_order icon name slug updated_at",
      update: "display_order icon name slug updated_at",
    },
  },
  change_pictures: {
    rights: rights("arrr", "arrr", "arrr", "arrr", "aaaa"),
    columns: "name shown_at",
    touch: "name",
    newRow: (person) => ({ name: `${OWNERS[person].id}.webp` }),
    writes: { insert: "", update: "" },
  },
  chat_messages: {
    rights: rights("rrrr", "arrn", "aoro", "aora", "aaaa", "aora"),
    columns: "created_at id items mentions message phrase reply_to trade user_id username",
    owner: "user_id",
    touch: "message",
    newRow: (person) => ({ user_id: OWNERS[person].id, username: "forged", message: "Hello" }),
    writes: { insert: "id items mentions message phrase reply_to trade user_id username", update: "" },
  },
  chat_mutes: {
    rights: rights("rrrr", "nrrn", "ooro", "ooro", "aaaa"),
    columns: "created_at muted_user_id user_id",
    owner: "user_id",
    touch: "created_at",
    newRow: (person) => ({ user_id: OWNERS[person].id, muted_user_id: OWNERS[PARTNER[person]].id }),
    writes: { insert: "muted_user_id user_id", update: "" },
  },
  chat_originals: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "aaaa", "arrr"),
    columns: "created_at message message_id user_id",
    touch: "message",
    newRow: (person) => ({ message_id: MUTED, user_id: OWNERS[person].id, message: "As it was" }),
    writes: { insert: "", update: "" },
  },
  chat_reactions: {
    rights: rights("rrrr", "arrn", "aoro", "aoro", "aaaa"),
    columns: "created_at emoji message_id user_id",
    owner: "user_id",
    touch: "created_at",
    newRow: (person) => ({ user_id: OWNERS[person].id, message_id: MESSAGE.Ana, emoji: "🔥" }),
    writes: { insert: "emoji message_id user_id", update: "" },
  },
  chat_reports: {
    rights: rights("rrrr", "nrnn", "oonn", "aoaa", "aaaa", "aoan"),
    columns:
      "created_at id message message_id reason reported_message_id reported_user_id reporter_id resolved_at sent_at",
    owner: "reporter_id",
    touch: "resolved_at",
    newRow: (person) => ({ reporter_id: OWNERS[person].id, message_id: MESSAGE[PARTNER[person]] }),
    writes: { insert: "message_id reason reporter_id", update: "resolved_at" },
  },
  chat_silences: {
    rights: rights("rrrr", "ornn", "ornn", "aaaa", "aaaa", "arna"),
    columns: "created_at created_by reason until user_id",
    hidden: "created_by",
    owner: "user_id",
    touch: "reason",
    newRow: () => ({ user_id: MUTED, reason: "Rude" }),
    writes: { insert: "reason until user_id", update: "reason until user_id" },
  },
  contact_messages: {
    rights: rights("rrrr", "nrrn", "nrrn", "arra", "aaaa"),
    columns: "created_at email id mailed_at message name subject",
    touch: "subject",
    newRow: () => ({ name: "Ana", email: "ana@example.org", subject: "Hi", message: "Hello" }),
    writes: { insert: "email message name subject", update: "" },
  },
  deleted_chat_messages: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "aaaa", "arrr"),
    columns: "created_at deleted_at id message user_id username",
    touch: "message",
    newRow: (person) => ({
      id: MUTED,
      user_id: OWNERS[person].id,
      username: "Ana",
      message: "Gone",
      created_at: "2026-01-01",
    }),
    writes: { insert: "", update: "" },
  },
  editor_names: {
    rights: rights("rrrr", "nrnn", "nrnn", "aonn", "aaaa", "nrnn", "aonn"),
    columns: "id name user_id",
    owner: "user_id",
    touch: "name",
    newRow: (person) => ({ user_id: OWNERS[person].id, name: EDITOR_NAMES[person] }),
    writes: { insert: "name user_id", update: "name" },
  },
  editor_notices: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "aaaa", "nrrr", "arrr"),
    columns: "count created_at id items kind webhook_next_at webhook_sent_at webhook_tries",
    hidden: "webhook_next_at webhook_sent_at webhook_tries",
    touch: "count",
    newRow: () => ({ kind: "stale", count: 1 }),
    writes: { insert: "", update: "" },
  },
  field_definitions: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns: "created_at display_order id label name options required type updated_at visible",
    touch: "label",
    newRow: () => ({ name: "custom_new", label: "New" }),
    writes: { insert: FIELD_COLUMNS, update: FIELD_COLUMNS },
  },
  former_slugs: {
    rights: rights("arrr", "arrr", "arrr", "arrr", "aaaa"),
    columns: "item_id left_at slug",
    touch: "left_at",
    newRow: () => ({ slug: "newer-slug", item_id: ITEM }),
    writes: { insert: "", update: "" },
  },
  game_update_items: {
    rights: rights("arrr", "arrn", "arrn", "aara", "aaaa"),
    columns: "item_id update_id",
    touch: "item_id",
    newRow: () => ({ update_id: ITEM, item_id: ITEM }),
    writes: { insert: "item_id update_id", update: "" },
  },
  game_updates: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns: "created_at happened_at id name updated_at volatile_until",
    touch: "name",
    newRow: () => ({ name: "Update 27" }),
    writes: { insert: "happened_at name volatile_until", update: "happened_at name volatile_until" },
  },
  item_demand_changes: {
    rights: rights("arrr", "arrr", "arrr", "arrr", "arrr"),
    columns:
      "changed_as changed_at changed_by evidence_url id is_seconded item_id kind new_word old_word picture reason reason_code",
    hidden: "changed_by picture",
    touch: "reason",
    newRow: () => ({ item_id: ITEM, kind: "demand", new_word: "low" }),
    writes: { insert: "", update: "" },
  },
  item_imports: {
    rights: rights("rrrr", "nrrr", "nrrr", "aarr", "aarr"),
    columns: "id imported_at rows",
    touch: "rows",
    newRow: () => ({ id: NEWCOMER, rows: "[]" }),
    writes: { insert: "id rows", update: "" },
  },
  item_value_changes: {
    rights: rights("arrr", "arrr", "arrr", "arrr", "arrr"),
    columns:
      "change_percent changed_as changed_at changed_by evidence_url id is_seconded item_id mode new_number new_previous_value new_value old_checked_at old_high old_low old_number old_previous_value old_value picture reason reason_code",
    hidden: "changed_by picture",
    hiddenFromVisitors: "new_previous_value old_checked_at old_high old_low old_previous_value",
    touch: "reason",
    newRow: () => ({ item_id: ITEM, mode: "regular", new_value: "1" }),
    writes: { insert: "", update: "" },
  },
  item_value_checks: {
    rights: rights("arrr", "arrr", "arrr", "aarr", "aarr", "arrr", "aarr"),
    columns: "checked_at checked_by id item_id",
    hidden: "checked_by",
    touch: "checked_at",
    newRow: () => ({ item_id: ITEM }),
    writes: { insert: "item_id", update: "" },
  },
  items: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns:
      "aliases beli_price beli_price_number category_id change_reason created_at current_high current_low current_value current_value_number custom_fields demand id image_url is_permanent name permanent_high permanent_low permanent_previous_value permanent_previous_value_number permanent_value permanent_value_number previous_value previous_value_number rarity robux_price robux_price_number slug status type updated_at values_checked_at",
    touch: "name",
    newRow: () => ({ slug: "new-item", name: "New Item" }),
    writes: { insert: ITEM_COLUMNS, update: ITEM_COLUMNS },
  },
  notice_mails: {
    rights: rights("rrrr", "nrrn", "nrrn", "norn", "aaaa", "norn", "norn"),
    columns: "mailed_at told_to user_id",
    owner: "user_id",
    touch: "told_to",
    newRow: (person) => ({ user_id: OWNERS[person].id }),
    writes: { insert: "user_id", update: "" },
  },
  page_configurations: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns: "id page_name updated_at visible_fields",
    touch: "visible_fields",
    newRow: () => ({ page_name: "fruit_detail", visible_fields: ["name"] }),
    writes: { insert: "page_name updated_at visible_fields", update: "page_name updated_at visible_fields" },
  },
  profiles: {
    rights: rights("arrr", "arnr", "aror", "aror", "aaaa"),
    columns: "avatar_url id listed rating_count rating_score rating_sum username",
    owner: "id",
    touch: "avatar_url",
    newRow: () => ({ id: NEWCOMER, username: "NewComer" }),
    writes: { insert: "", update: "avatar_url listed username" },
  },
  quick_phrases: {
    rights: rights("rrrr", "arrr", "arrr", "arrr", "aaaa"),
    columns: "id phrase place theme",
    touch: "place",
    newRow: () => ({ id: "new-phrase", theme: "hello", phrase: "Good morning!" }),
    writes: { insert: "", update: "" },
  },
  reports: {
    rights: rights("rrrr", "nrnn", "oonn", "aoaa", "aaaa", "aoan"),
    columns:
      "code created_at evidence id kind message_id outcome reason reported_user_id reporter_id resolved_at resolved_by sanction_id sent_at subject_id",
    hidden: "resolved_by sanction_id",
    owner: "reporter_id",
    touch: "resolved_at",
    newRow: (person) => ({
      kind: "name",
      reporter_id: OWNERS[person].id,
      subject_id: OWNERS[PARTNER[person]].id,
    }),
    writes: { insert: "code kind message_id reason reporter_id subject_id", update: "resolved_at" },
  },
  sanctions: {
    rights: rights("rrrr", "nrrr", "orrr", "aarr", "aaaa", "aarr"),
    columns:
      "appeal_key code counts_until created_at created_by done_at id kind lifted_at lifted_by reason removed subject_id until user_id",
    hidden: "appeal_key created_by lifted_by",
    owner: "user_id",
    touch: "reason",
    newRow: () => ({ user_id: MUTED, kind: "silence", code: "spam", reason: "Rude", until: "2099-01-01" }),
    writes: { insert: "code kind reason subject_id until user_id", update: "lifted_at" },
  },
  second_opinions: {
    rights: rights("rrrr", "nrrr", "nrrr", "aorr", "aaaa", "aorr"),
    columns: "asked_at asked_by user_id",
    owner: "asked_by",
    touch: "asked_at",
    newRow: (person) => ({ user_id: MUTED, asked_by: OWNERS[person].id }),
    writes: { insert: "asked_by user_id", update: "" },
  },
  shown_chat_messages: {
    rights: rights("rrrr", "arrr", "arrr", "arrr", "arrr"),
    columns: "created_at id items mentions message phrase reactions reply_to trade user_id username",
    owner: "user_id",
    touch: "message",
    newRow: (person) => ({ user_id: OWNERS[person].id, message: "Hello" }),
    writes: { insert: "", update: "" },
  },
  status_words: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns: "place word",
    touch: "place",
    newRow: () => ({ word: "newer" }),
    writes: { insert: "place word", update: "place word" },
  },
  trade_history: {
    rights: rights("rrrr", "ooro", "ooro", "ooro", "aaaa"),
    columns:
      "created_at has_unpriced id their_items their_total trade_partner_email user_id version your_items your_total",
    owner: "user_id",
    touch: "your_total",
    newRow: (person) => ({ user_id: OWNERS[person].id, your_items: trade, their_items: trade }),
    writes: {
      insert: "id their_items their_total trade_partner_email user_id your_items your_total",
      update: "",
    },
  },
  user_ratings: {
    rights: rights("arrr", "arnn", "aooo", "aooa", "aaaa", "aooa"),
    columns: "answer answered_at comment created_at id rated_user_id rater_id rating",
    owner: "rater_id",
    touch: "rating",
    newRow: (person) => ({
      rater_id: OWNERS[person].id,
      rated_user_id: OWNERS[PARTNER[person]].id,
      rating: 4,
    }),
    writes: {
      insert: "comment rated_user_id rater_id rating",
      update: "comment rated_user_id rater_id rating",
    },
  },
  user_roles: {
    rights: rights("rrrr", "orrr", "orrr", "arrr", "aaaa"),
    columns: "created_at role user_id",
    owner: "user_id",
    touch: "role",
    newRow: (person) => ({ user_id: person === "Eve" ? NEWCOMER : OWNERS[person].id, role: "admin" }),
    writes: { insert: "", update: "" },
  },
  value_proposals: {
    rights: rights("rrrr", "nrrr", "orrr", "arrr", "aaaa", "nrrr", "arrr"),
    columns:
      "after before change_percent decided_at decided_by decision_note evidence_url field id item_id new_value note old_value picture proposed_as proposed_at proposed_by published_at reason_code set_id state why",
    owner: "proposed_by",
    touch: "note",
    newRow: (person) => ({
      item_id: ITEM,
      field: "demand",
      new_value: "low",
      reason_code: "other",
      state: "waiting",
      proposed_by: OWNERS[person].id,
    }),
    writes: { insert: "", update: "" },
  },
  value_reasons: {
    rights: rights("arrr", "arrr", "arrr", "arrr", "aaar"),
    columns: "code is_offered label place",
    touch: "place",
    newRow: () => ({ code: "newer", label: "Newer" }),
    writes: { insert: "", update: "" },
  },
  value_sets: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "aaaa", "nrrr", "arrr"),
    columns:
      "created_at created_by fault id name planned_for published_at published_by rolled_back_at rolled_back_by state",
    touch: "name",
    newRow: () => ({ name: "Update day" }),
    writes: { insert: "", update: "" },
  },
  word_requests: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "aaaa"),
    columns: "allowed_at count first_asked_at last_asked_at refused_at word",
    touch: "count",
    newRow: () => ({ word: "newword" }),
    writes: { insert: "", update: "" },
  },
  work_skips: {
    rights: rights("rrrr", "nrrn", "nrrn", "ooro", "aaaa", "nrrn", "ooro"),
    columns: "editor_id item_id skipped_at skipped_on",
    owner: "editor_id",
    touch: "skipped_at",
    newRow: (person) => ({ editor_id: OWNERS[person].id, item_id: "10000000-0000-4000-8000-000000000002" }),
    writes: { insert: "editor_id item_id", update: "" },
  },
};

const { Ana, Ben, Eve, Mia, Ned, Guest } = OWNERS;

/** At least one row of each person in every table with owners, and two rows in the others. */
export const FIXTURE = `
  delete from public.items;
  delete from public.categories;
  insert into public.categories (slug, name) values ('one', 'One'), ('two', 'Two');
  insert into public.items (id, slug, name, current_value) values
    ('${ITEM}', 'item-one', 'Item One', '5M'),
    ('10000000-0000-4000-8000-000000000002', 'item-two', 'Item Two', '7M');
  insert into public.former_slugs (slug, item_id) values ('old-one', '${ITEM}'), ('older-one', '${ITEM}');
  insert into public.item_demand_changes (item_id, kind, new_word) values ('${ITEM}', 'demand', 'low'), ('${ITEM}', 'status', 'hyped');
  insert into public.item_value_checks (item_id, checked_by) values ('${ITEM}', '${Eve.id}');
  insert into public.game_updates (id, name) values ('${ITEM}', 'Update 26'), ('${MUTED}', 'Update 25');
  insert into public.game_update_items (update_id, item_id) select '${MUTED}', id from public.items limit 2;
  insert into public.item_imports (id, rows) values ('${ITEM}', '[]'), ('${MUTED}', '[]');
  insert into public.page_configurations (page_name) values ('values'), ('calculator');
  delete from public.ads where placement = 'detail_sidebar';
  delete from public.field_definitions;
  insert into public.field_definitions (name, label) values ('custom_one', 'One'), ('custom_two', 'Two');
  insert into public.contact_messages (name, email, subject, message) values ('Ana', 'a@example.org', 'Hi', 'Hello');

  insert into auth.users (id, email) values
    ('${NEWCOMER}', 'newcomer@example.org'), ('${MUTED}', 'muted@example.org');
  delete from public.profiles where id = '${NEWCOMER}';
  delete from public.age_bands where user_id = '${MUTED}';
  ${ADD_MODERATOR}
  ${ADD_EDITOR}
  -- With everything that others have, as if it had got past the rules: those must hold all the same.
  insert into auth.users (id, is_anonymous) values ('${Guest.id}', true);
  update public.profiles set listed = true where id = '${Guest.id}';

  insert into public.chat_messages (id, user_id, message) values
    ('${MESSAGE.Ana}', '${Ana.id}', 'from a trader'), ('${MESSAGE.Ben}', '${Ben.id}', 'from a trader'),
    ('${MESSAGE.Eve}', '${Eve.id}', 'from a trader'), ('${MESSAGE.Mia}', '${Mia.id}', 'from a trader'),
    ('${MESSAGE.Ned}', '${Ned.id}', 'from a trader'), ('${MESSAGE.Guest}', '${Guest.id}', 'from nobody');
  insert into public.chat_reactions (message_id, user_id, emoji) values
    ('${MESSAGE.Ben}', '${Ana.id}', '👍'), ('${MESSAGE.Ben}', '${Ben.id}', '👍'), ('${MESSAGE.Ben}', '${Eve.id}', '👍'),
    ('${MESSAGE.Ben}', '${Mia.id}', '👍'), ('${MESSAGE.Ben}', '${Ned.id}', '👍'), ('${MESSAGE.Ben}', '${Guest.id}', '👍');
  insert into public.chat_reports (message_id, reporter_id) values
    ('${MESSAGE.Ben}', '${Ana.id}'), ('${MESSAGE.Ana}', '${Ben.id}'), ('${MESSAGE.Ana}', '${Eve.id}'),
    ('${MESSAGE.Ana}', '${Mia.id}'), ('${MESSAGE.Ana}', '${Ned.id}'), ('${MESSAGE.Ana}', '${Guest.id}');
  insert into public.deleted_chat_messages (id, user_id, username, message, created_at) values
    ('${NEWCOMER}', '${Ben.id}', 'Ben', 'Taken back', now());
  insert into public.chat_originals (message_id, user_id, message) values ('${NEWCOMER}', '${Ben.id}', 'As it was');
  insert into public.word_requests (word, count) values ('sprog', 2);
  insert into public.user_ratings (rater_id, rated_user_id, rating) values
    ('${Ana.id}', '${Ben.id}', 5), ('${Ben.id}', '${Ana.id}', 4), ('${Eve.id}', '${Ana.id}', 3),
    ('${Mia.id}', '${Ana.id}', 3), ('${Ned.id}', '${Ana.id}', 3), ('${Guest.id}', '${Ana.id}', 2);
  insert into public.trade_history (user_id, your_items, their_items) values
    ('${Ana.id}', '${trade}', '${trade}'), ('${Ben.id}', '${trade}', '${trade}'), ('${Eve.id}', '${trade}', '${trade}'),
    ('${Mia.id}', '${trade}', '${trade}'), ('${Ned.id}', '${trade}', '${trade}'), ('${Guest.id}', '${trade}', '${trade}');
  insert into public.chat_mutes (user_id, muted_user_id) values
    ('${Ana.id}', '${MUTED}'), ('${Ben.id}', '${MUTED}'), ('${Eve.id}', '${MUTED}'),
    ('${Mia.id}', '${MUTED}'), ('${Ned.id}', '${MUTED}'), ('${Guest.id}', '${MUTED}');
  insert into public.chat_silences (user_id, reason, created_at, until)
    select id, 'Rude', '2026-01-01', '2026-01-02' from public.profiles
    where id in ('${Ana.id}', '${Ben.id}', '${Eve.id}', '${Mia.id}', '${Ned.id}', '${Guest.id}');
  insert into public.admin_acts (act, table_name, row_id) values ('insert', 'items', '${ITEM}');
  insert into public.case_notes (user_id, author_id, note) values
    ('${MUTED}', '${Eve.id}', 'Seen before'), ('${MUTED}', '${Mia.id}', 'So have I');
  insert into public.second_opinions (user_id, asked_by) values ('${Ana.id}', '${Eve.id}');
  insert into public.sanctions (user_id, kind, code, reason)
    select id, 'picture', 'other', 'Not for everybody' from public.profiles
    where id in ('${Ana.id}', '${Ben.id}', '${Eve.id}', '${Mia.id}', '${Ned.id}', '${Guest.id}');
  insert into public.sanctions (id, user_id, kind, code, reason) values
    ('${SANCTION}', '${MUTED}', 'picture', 'other', 'Not for everybody'),
    ('${NEWCOMER}', '${MUTED}', 'picture', 'other', 'Not for everybody');
  insert into public.value_sets (name) values ('Update day'), ('Next update day');
  insert into public.value_proposals (item_id, field, new_value, reason_code, state, proposed_by)
    select '${ITEM}', 'demand', 'low', 'other', 'waiting', id from public.profiles
    where id in ('${Ana.id}', '${Ben.id}', '${Eve.id}', '${Ned.id}');
  insert into public.work_skips (editor_id, item_id)
    select id, '${ITEM}' from public.profiles
    where id in ('${Ana.id}', '${Ben.id}', '${Eve.id}', '${Mia.id}', '${Ned.id}', '${Guest.id}');
  insert into public.change_pictures (name) values ('one.webp'), ('two.png');
  insert into public.editor_names (user_id, name) values ('${MUTED}', 'LuckyBear200');
  update private.settings set site_url = 'https://values.example';
  insert into public.notice_mails (user_id) values ('${MUTED}');
  insert into public.editor_notices (kind, count) values ('stale', 2), ('proposals', 1);
  insert into public.appeals (sanction_id, message) values ('${NEWCOMER}', 'It was a cat');
`;

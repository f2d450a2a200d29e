import { OWNERS, type Owner, type Person } from "#tests/helpers/people.ts";

export const VERBS = ["select", "insert", "update", "delete"] as const;
export type Verb = (typeof VERBS)[number];

/**
 * The rows a verb reaches: `refused` with 42501, allowed but affecting `none`, the user's `own`, those of `others`, the
 * table's `some`, or `all`.
 */
export type Reach = "refused" | "none" | "own" | "others" | "some" | "all";
type Rights = Record<Person, Record<Verb, Reach>>;

export type TableRights = {
  rights: Rights;
  /** A row's owner, in SQL; without one, all rows are treated alike. */
  owner?: string;
  /** What reaches `some` rows reaches these, in SQL, where `$1` is the person. */
  some?: string | Partial<Record<Person, string>>;
  /** Where a view's rows are stored. */
  rows?: string;
  /** An assignment of a fixed value: it reads nothing, so that the policies for reading do not hide what it reaches. */
  touch: string;
  /** The same for a server, which reaches all rows, where they cannot all get one value. */
  touchOfAll?: string;
  /** A new row that this user would own. */
  newRow(person: Owner): Record<string, unknown>;
  /** A person has one row at most, so the old one makes way for a new one. */
  isSingle?: true;
  /** A row in the user's name that no user may add, whoever may add others. */
  wrongRow?(person: Owner): Record<string, unknown>;
  /** Without the second factor its owner cannot read it either. */
  needsFactor?: true;
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
 * Rights of each person as the letters of "select insert update delete": `r`efused, `n`one, `o`wn, e`x`cept own,
 * `s`ome, `a`ll. Moderators and editors have a trader's rights unless given.
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
  const words = { r: "refused", n: "none", o: "own", x: "others", s: "some", a: "all" } as const;
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

export const ITEM = "10000000-0000-4000-8000-000000000001";
/** An account whose profile and roles are missing, so that they can be inserted. */
export const NEWCOMER = "d0000000-0000-4000-8000-00000000000d";
/** A user whom everybody has muted, who wrote nothing and is not listed. */
export const MUTED = "f0000000-0000-4000-8000-00000000000f";
export const MESSAGE = {
  Ana: "c0000000-0000-4000-8000-00000000000a",
  Ben: "c0000000-0000-4000-8000-00000000000b",
  Eve: "c0000000-0000-4000-8000-00000000000e",
  Mia: "c0000000-0000-4000-8000-00000000001a",
  Ned: "c0000000-0000-4000-8000-00000000002a",
  Guest: "c0000000-0000-4000-8000-000000000010",
} as const;

/** A sanction of each user, and of another than those tested. Moderators may not lift those of people with a role. */
export const SANCTIONS = {
  Ana: "50000000-0000-4000-8000-00000000000a",
  Ben: "50000000-0000-4000-8000-00000000000b",
  Mia: "50000000-0000-4000-8000-00000000001a",
  Guest: "50000000-0000-4000-8000-000000000010",
  other: "50000000-0000-4000-8000-000000000005",
} as const;
const sanctionOf = (person: Owner) =>
  person === "Eve" || person === "Ned" ? SANCTIONS.other : SANCTIONS[person];

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
export const TRADE = JSON.stringify([{ id: ITEM, name: "x", value: "1", viewMode: "regular" }]);

const BOTH_LISTED =
  "not exists (select from public.profiles where not listed and id in (rater_id, rated_user_id))";

/** Every table of the schema public: person × verb. The letters stand for select, insert, update, delete. */
export const MATRIX: Record<string, TableRights> = {
  admin_acts: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "arrr", "srrr"),
    columns: "act admin_id at id new old person_id row_id table_name title",
    some: "table_name = 'reports'",
    touch: "act = 'delete'",
    newRow: () => ({ act: "insert", table_name: "items", row_id: ITEM }),
    writes: { insert: "", update: "" },
  },
  ads: {
    rights: rights("arrr", "arnr", "arnr", "arar", "aaaa"),
    columns: "ad_code enabled id placement updated_at",
    touch: "enabled = true",
    newRow: () => ({ placement: "detail_sidebar" }),
    writes: { insert: "", update: "ad_code enabled updated_at" },
  },
  age_bands: {
    rights: rights("rrrr", "nrrr", "orrr", "orrr", "aaaa"),
    columns: "band user_id",
    owner: "user_id",
    needsFactor: true,
    touch: "band = '16-17'",
    newRow: () => ({ user_id: MUTED, band: "13-15" }),
    writes: { insert: "", update: "" },
  },
  appeals: {
    rights: rights("rrrr", "nrnr", "oonr", "arar", "aaaa", "aoar", "ornr"),
    columns: "answer answered_at answered_by created_at granted message sanction_id",
    hidden: "answered_by",
    owner: "(select user_id from public.sanctions where id = sanction_id)",
    needsFactor: true,
    touch: "granted = true",
    newRow: (person) => ({ sanction_id: sanctionOf(person), message: "It was not me" }),
    writes: { insert: "message sanction_id", update: "answer granted" },
  },
  archived_items: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "arrr"),
    columns: "archived_at archived_by id image_url item name people records slug value_change_count",
    touch: "archived_at = now()",
    newRow: () => ({ id: NEWCOMER, item: { name: "x", slug: "x" }, records: {} }),
    writes: { insert: "", update: "" },
  },
  case_notes: {
    rights: rights("rrrr", "nrrn", "nrrn", "soro", "aaaa", "soro"),
    columns: "author_id created_at id note user_id",
    owner: "author_id",
    some: "user_id <> $1",
    touch: "note = 'Seen'",
    newRow: (person) => ({ user_id: MUTED, author_id: OWNERS[person].id, note: "Seen before" }),
    wrongRow: (person) => ({ user_id: OWNERS[person].id, author_id: OWNERS[person].id, note: "Never seen" }),
    writes: { insert: "author_id id note user_id", update: "" },
  },
  categories: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns: "created_at display_order icon id name slug updated_at",
    touch: "icon = ''",
    newRow: () => ({ slug: "new-group", name: "New Group" }),
    writes: {
      insert: "display_order icon name slug updated_at",
      update: "display_order icon name slug updated_at",
    },
  },
  change_pictures: {
    rights: rights("arrr", "arrr", "arrr", "arrr", "aaaa"),
    columns: "name shown_at",
    touch: "shown_at = now()",
    newRow: (person) => ({ name: `${OWNERS[person].id}.webp` }),
    writes: { insert: "", update: "" },
  },
  chat_messages: {
    rights: rights("rrrr", "arrn", "aoro", "aora", "aaaa", "aora"),
    columns: "created_at id items mentions message phrase reply_to trade user_id username",
    owner: "user_id",
    touch: "message = 'Hello'",
    newRow: (person) => ({ user_id: OWNERS[person].id, username: "forged", message: "Hello" }),
    writes: { insert: "id items mentions message phrase reply_to trade user_id username", update: "" },
  },
  chat_mutes: {
    rights: rights("rrrr", "nrrn", "ooro", "ooro", "aaaa"),
    columns: "created_at muted_user_id user_id",
    owner: "user_id",
    touch: "created_at = now()",
    newRow: (person) => ({ user_id: OWNERS[person].id, muted_user_id: OWNERS[PARTNER[person]].id }),
    writes: { insert: "muted_user_id user_id", update: "" },
  },
  chat_originals: {
    rights: rights("rrrr", "nrrr", "nrrr", "srrr", "aaaa", "srrr"),
    columns: "created_at message message_id user_id",
    some: "created_at > now() - interval '24 hours'",
    touch: "message = 'Otherwise'",
    newRow: (person) => ({ message_id: MUTED, user_id: OWNERS[person].id, message: "As it was" }),
    writes: { insert: "", update: "" },
  },
  chat_reactions: {
    rights: rights("rrrr", "arrn", "aoro", "aoro", "aaaa"),
    columns: "created_at emoji message_id user_id",
    owner: "user_id",
    touch: "created_at = now()",
    newRow: (person) => ({ user_id: OWNERS[person].id, message_id: MESSAGE.Ana, emoji: "🔥" }),
    writes: { insert: "emoji message_id user_id", update: "" },
  },
  chat_reports: {
    rights: rights("rrrr", "nrnn", "oonn", "soss", "aaaa", "sosn"),
    columns:
      "created_at id message message_id reason reported_message_id reported_user_id reporter_id resolved_at sent_at",
    owner: "reporter_id",
    rows: "public.reports where kind = 'message'",
    some: "reported_user_id is distinct from $1",
    needsFactor: true,
    touch: "resolved_at = now()",
    newRow: (person) => ({ reporter_id: OWNERS[person].id, message_id: MESSAGE[PARTNER[person]] }),
    writes: { insert: "message_id reason reporter_id", update: "resolved_at" },
  },
  chat_silences: {
    rights: rights("rrrr", "nrnn", "ornn", "aaxx", "aaaa", "arnx"),
    columns: "created_at created_by reason until user_id",
    hidden: "created_by",
    owner: "user_id",
    needsFactor: true,
    touch: "reason = 'Very rude'",
    newRow: () => ({ user_id: MUTED, reason: "Rude" }),
    writes: { insert: "reason until user_id", update: "reason until user_id" },
  },
  contact_messages: {
    rights: rights("rarr", "narn", "narn", "aara", "aaaa"),
    columns: "created_at email id mailed_at message name subject",
    touch: "subject = 'Hello'",
    newRow: () => ({ name: "Ana", email: "ana@example.org", subject: "Hi", message: "Hello" }),
    writes: { insert: "email message name subject", update: "" },
  },
  deleted_chat_messages: {
    rights: rights("rrrr", "nrrr", "nrrr", "srrr", "aaaa", "srrr"),
    columns: "created_at deleted_at id message user_id username",
    some: "deleted_at > now() - interval '24 hours'",
    touch: "message = 'Otherwise'",
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
    rights: rights("rrrr", "nrnn", "ornn", "aooo", "aaaa", "ornn", "aooo"),
    columns: "id name user_id",
    owner: "user_id",
    isSingle: true,
    needsFactor: true,
    touch: "name = 'BraveFox700'",
    touchOfAll: "name = name",
    newRow: (person) => ({ user_id: OWNERS[person].id, name: EDITOR_NAMES[person] }),
    writes: { insert: "name user_id", update: "name" },
  },
  editor_notices: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "aaaa", "srrr", "srrr"),
    columns: "count created_at id items kind webhook_next_at webhook_sent_at webhook_tries",
    hidden: "webhook_next_at webhook_sent_at webhook_tries",
    some: { Mia: "kind = 'reports'", Ned: "kind in ('stale', 'proposals')" },
    touch: "count = 3",
    newRow: () => ({ kind: "stale", count: 1 }),
    writes: { insert: "", update: "" },
  },
  field_definitions: {
    rights: rights("arrr", "arnn", "arnn", "aaas", "aaaa"),
    columns: "created_at display_order id label name options required type updated_at visible",
    some: "name like 'custom%'",
    touch: "label = 'Anew'",
    newRow: () => ({ name: "custom_new", label: "New" }),
    writes: { insert: FIELD_COLUMNS, update: FIELD_COLUMNS },
  },
  former_slugs: {
    rights: rights("arrr", "arrr", "arrr", "arrr", "aaaa"),
    columns: "item_id left_at slug",
    touch: "left_at = now()",
    newRow: () => ({ slug: "newer-slug", item_id: ITEM }),
    writes: { insert: "", update: "" },
  },
  game_update_items: {
    rights: rights("arrr", "arrn", "arrn", "aara", "aaaa"),
    columns: "item_id update_id",
    touch: "item_id = item_id",
    newRow: () => ({ update_id: ITEM, item_id: ITEM }),
    writes: { insert: "item_id update_id", update: "" },
  },
  game_updates: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns: "created_at happened_at id name updated_at volatile_until",
    touch: "name = 'Update 28'",
    newRow: () => ({ name: "Update 27" }),
    writes: { insert: "happened_at id name volatile_until", update: "happened_at name volatile_until" },
  },
  item_demand_changes: {
    rights: rights("arrr", "arrr", "arrr", "arrr", "arrr"),
    columns:
      "changed_as changed_at changed_by evidence_url id is_seconded item_id kind new_word old_word picture reason reason_code",
    hidden: "changed_by picture",
    touch: "reason = 'Otherwise'",
    newRow: () => ({ item_id: ITEM, kind: "demand", new_word: "low" }),
    writes: { insert: "", update: "" },
  },
  item_imports: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "arrr"),
    columns: "id imported_at rows",
    touch: "rows = '[]'",
    newRow: () => ({ id: NEWCOMER, rows: "[]" }),
    writes: { insert: "", update: "" },
  },
  item_value_changes: {
    rights: rights("arrr", "arrr", "arrr", "arrr", "arrr"),
    columns:
      "change_percent changed_as changed_at changed_by evidence_url id is_seconded item_id mode new_number new_previous_value new_value old_checked_at old_high old_low old_number old_previous_value old_value picture reason reason_code",
    hidden: "changed_by picture",
    hiddenFromVisitors: "new_previous_value old_checked_at old_high old_low old_previous_value",
    touch: "reason = 'Otherwise'",
    newRow: () => ({ item_id: ITEM, mode: "regular", new_value: "1" }),
    writes: { insert: "", update: "" },
  },
  item_value_checks: {
    rights: rights("arrr", "arrr", "arrr", "aarr", "aarr", "arrr", "aarr"),
    columns: "checked_at checked_by id item_id",
    hidden: "checked_by",
    touch: "checked_at = now()",
    newRow: () => ({ item_id: ITEM }),
    writes: { insert: "item_id", update: "" },
  },
  items: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns:
      "aliases beli_price beli_price_number category_id change_reason created_at current_high current_low current_value current_value_number custom_fields demand id image_url is_permanent name permanent_high permanent_low permanent_previous_value permanent_previous_value_number permanent_value permanent_value_number previous_value previous_value_number rarity robux_price robux_price_number slug status type updated_at values_checked_at",
    touch: "beli_price = '1'",
    newRow: () => ({ slug: "new-item", name: "New Item" }),
    writes: { insert: ITEM_COLUMNS, update: ITEM_COLUMNS },
  },
  notice_mails: {
    rights: rights("rrrr", "nrrn", "orrn", "ooro", "aaaa", "ooro", "ooro"),
    columns: "mailed_at told_to user_id",
    owner: "user_id",
    isSingle: true,
    needsFactor: true,
    touch: "told_to = 0",
    newRow: (person) => ({ user_id: OWNERS[person].id }),
    writes: { insert: "user_id", update: "" },
  },
  page_configurations: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns: "id page_name updated_at visible_fields",
    touch: "visible_fields = '{}'",
    newRow: () => ({ page_name: "fruit_detail", visible_fields: ["name"] }),
    writes: { insert: "page_name updated_at visible_fields", update: "page_name updated_at visible_fields" },
  },
  profiles: {
    rights: rights("srrr", "srnr", "sror", "aror", "aaaa", "aror"),
    columns: "avatar_url id listed rating_count rating_score rating_sum username",
    owner: "id",
    some: "listed or id = $1",
    touch: "avatar_url = null",
    newRow: () => ({ id: NEWCOMER, username: "NewComer" }),
    writes: { insert: "", update: "avatar_url listed username" },
  },
  quick_phrases: {
    rights: rights("rrrr", "arrr", "arrr", "arrr", "aaaa"),
    columns: "id phrase place theme",
    touch: "place = 0",
    newRow: () => ({ id: "new-phrase", theme: "hello", phrase: "Good morning!" }),
    writes: { insert: "", update: "" },
  },
  reports: {
    rights: rights("rrrr", "nrnn", "oonn", "soss", "aaaa", "sosn"),
    columns:
      "code created_at evidence id kind message_id outcome reason reported_user_id reporter_id resolved_at resolved_by sanction_id sent_at subject_id",
    hidden: "resolved_by sanction_id",
    owner: "reporter_id",
    some: "reported_user_id is distinct from $1",
    needsFactor: true,
    touch: "resolved_at = now()",
    newRow: (person) => ({
      kind: "name",
      reporter_id: OWNERS[person].id,
      subject_id: OWNERS[PARTNER[person]].id,
    }),
    wrongRow: (person) => ({ kind: "refusals", reporter_id: OWNERS[person].id, subject_id: MUTED }),
    writes: { insert: "code kind message_id reason reporter_id subject_id", update: "resolved_at" },
  },
  sanctions: {
    rights: rights("rrrr", "nrnr", "ornr", "aaar", "aaaa", "aaxr"),
    columns:
      "appeal_key code counts_until created_at created_by done_at id kind lifted_at lifted_by reason removed report_id subject_id until user_id",
    hidden: "appeal_key created_by lifted_by report_id",
    owner: "user_id",
    needsFactor: true,
    touch: "lifted_at = now()",
    newRow: () => ({ user_id: MUTED, kind: "silence", code: "spam", reason: "Rude", until: "2099-01-01" }),
    wrongRow: (person) => ({ user_id: OWNERS[person].id, kind: "picture", code: "spam", reason: "Rude" }),
    writes: { insert: "code id kind reason report_id subject_id until user_id", update: "lifted_at" },
  },
  second_opinions: {
    rights: rights("rrrr", "nrrr", "nrrr", "sorr", "aaaa", "sorr"),
    columns: "asked_at asked_by id user_id",
    owner: "asked_by",
    some: "user_id <> $1",
    touch: "asked_at = now()",
    newRow: (person) => ({ user_id: MUTED, asked_by: OWNERS[person].id }),
    writes: { insert: "asked_by user_id", update: "" },
  },
  shown_chat_messages: {
    rights: rights("rrrr", "arrr", "arrr", "arrr", "arrr"),
    columns: "created_at id items mentions message phrase reactions reply_to trade user_id username",
    owner: "user_id",
    rows: "public.chat_messages",
    touch: "message = 'Hello'",
    newRow: (person) => ({ user_id: OWNERS[person].id, message: "Hello" }),
    writes: { insert: "", update: "" },
  },
  status_words: {
    rights: rights("arrr", "arnn", "arnn", "aaaa", "aaaa"),
    columns: "place word",
    touch: "place = 0",
    newRow: () => ({ word: "newer" }),
    writes: { insert: "place word", update: "place word" },
  },
  trade_history: {
    rights: rights("rrrr", "ooro", "ooro", "ooro", "aaaa"),
    columns:
      "created_at has_unpriced id their_items their_total trade_partner_email user_id version your_items your_total",
    owner: "user_id",
    needsFactor: true,
    touch: "your_total = 0",
    newRow: (person) => ({ user_id: OWNERS[person].id, your_items: TRADE, their_items: TRADE }),
    writes: {
      insert: "id their_items their_total trade_partner_email user_id your_items your_total",
      update: "",
    },
  },
  user_ratings: {
    rights: rights("srrr", "srnn", "sooo", "aoos", "aaaa", "aoos"),
    columns: "answer answered_at comment created_at id rated_user_id rater_id rating",
    owner: "rater_id",
    some: {
      visitor: BOTH_LISTED,
      Guest: BOTH_LISTED,
      Ana: BOTH_LISTED,
      Ben: BOTH_LISTED,
      Ned: BOTH_LISTED,
      Eve: "rater_id = $1 or rated_user_id <> $1",
      Mia: "rater_id = $1 or rated_user_id <> $1",
    },
    touch: "rating = 1",
    newRow: (person) => ({
      rater_id: OWNERS[person].id,
      rated_user_id: OWNERS[PARTNER[person]].id,
      rating: 4,
    }),
    wrongRow: (person) => ({ rater_id: OWNERS[person].id, rated_user_id: MUTED, rating: 4 }),
    writes: {
      insert: "comment rated_user_id rater_id rating",
      update: "comment rated_user_id rater_id rating",
    },
  },
  user_roles: {
    rights: rights("rrrr", "orrr", "orrr", "arrr", "aaaa"),
    columns: "created_at role user_id",
    owner: "user_id",
    touch: "role = 'admin'",
    newRow: (person) => ({ user_id: person === "Eve" ? NEWCOMER : OWNERS[person].id, role: "admin" }),
    writes: { insert: "", update: "" },
  },
  value_proposals: {
    rights: rights("rrrr", "nrrr", "orrr", "arrr", "aaaa", "nrrr", "arrr"),
    columns:
      "after before change_percent decided_at decided_by decision_note evidence_url field id item_id new_value note old_value picture proposed_as proposed_at proposed_by published_at reason_code set_id state why",
    owner: "proposed_by",
    needsFactor: true,
    touch: "note = 'Otherwise'",
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
    touch: "place = 0",
    newRow: () => ({ code: "newer", label: "Newer" }),
    writes: { insert: "", update: "" },
  },
  value_sets: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "aaaa", "nrrr", "arrr"),
    columns:
      "created_at created_by fault id name planned_for published_at published_by rolled_back_at rolled_back_by state",
    touch: "name = 'Otherwise'",
    newRow: () => ({ name: "Update day" }),
    writes: { insert: "", update: "" },
  },
  word_requests: {
    rights: rights("rrrr", "nrrr", "nrrr", "arrr", "aaaa"),
    columns: "allowed_at count first_asked_at last_asked_at refused_at word",
    touch: "count = 0",
    newRow: () => ({ word: "newword" }),
    writes: { insert: "", update: "" },
  },
  work_skips: {
    rights: rights("rrrr", "nrrn", "nrrn", "ooro", "aaaa", "nrrn", "ooro"),
    columns: "editor_id item_id skipped_at skipped_on",
    owner: "editor_id",
    touch: "skipped_at = now()",
    newRow: (person) => ({ editor_id: OWNERS[person].id, item_id: "10000000-0000-4000-8000-000000000002" }),
    writes: { insert: "editor_id item_id", update: "" },
  },
};

import type { SanctionKind } from "#domain/moderation/sanction.ts";
import { countOf } from "#domain/text/counts.ts";
import { formatDateTime, READERS_ZONE } from "#domain/text/dates.ts";
import { titled } from "#domain/text/words.ts";
import type { Act } from "./act-queries.ts";

/** How each table's rows are called. Moderators also read acts about users (supabase/schemas/admin-acts.sql). */
export const ACT_TABLES: Record<string, { noun: string; nouns?: string; isOfPeople?: true }> = {
  items: { noun: "item" },
  categories: { noun: "category", nouns: "categories" },
  page_configurations: { noun: "page configuration" },
  field_definitions: { noun: "field" },
  ads: { noun: "ad" },
  chat_messages: { noun: "chat message", isOfPeople: true },
  // From releases that knew only reports of messages.
  chat_reports: { noun: "former report", isOfPeople: true },
  reports: { noun: "report", isOfPeople: true },
  sanctions: { noun: "sanction", isOfPeople: true },
  appeals: { noun: "appeal", isOfPeople: true },
  second_opinions: { noun: "second opinion", isOfPeople: true },
  chat_silences: { noun: "silence", isOfPeople: true },
  avatars: { noun: "picture", isOfPeople: true },
  user_ratings: { noun: "rating", isOfPeople: true },
  age_bands: { noun: "age group", isOfPeople: true },
  contact_messages: { noun: "contact message" },
  item_value_checks: { noun: "value check" },
  user_roles: { noun: "role" },
  word_requests: { noun: "word" },
  change_pictures: { noun: "picture of a change", nouns: "pictures of changes" },
  game_updates: { noun: "game update" },
  game_update_items: { noun: "item of a game update", nouns: "items of a game update" },
  status_words: { noun: "status word" },
};

const nounOf = ({ table_name }: Act) => ACT_TABLES[table_name]?.noun ?? table_name;

/** What was done to a user, who is named at the end of each sentence. */
const ABOUT_PEOPLE: Record<string, string> = {
  "delete chat_messages": "deleted a message of",
  "insert chat_silences": "silenced",
  "update chat_silences": "changed the silence of",
  "update avatars": "allowed the picture of",
  "delete avatars": "removed the picture of",
  "delete chat_silences": "lifted the silence of",
  "update chat_reports": "handled a report about",
  "delete chat_reports": "deleted a report about",
  "update reports": "handled a report about",
  "delete reports": "deleted a report about",
  "delete user_ratings": "deleted a rating by",
  "update age_bands": "changed the age group of",
  "update sanctions": "took back what was done about",
  "update appeals": "answered the appeal of",
  "insert second_opinions": "asked for a second opinion about",
};
const REOPENED = "reopened a report about";

const SANCTIONED: Record<SanctionKind, string> = {
  message: "removed a message of",
  silence: "silenced",
  rename: "asked for a new name for",
  picture: "removed the picture of",
  comment: "removed a comment of",
  ban: "suspended",
};

const DONE: Record<string, string> = {
  insert: "added",
  update: "changed",
  delete: "deleted",
  restore: "restored",
  "insert word_requests": "took in",
  "delete word_requests": "refused",
  "update word_requests": "put back on the list",
  "update change_pictures": "allowed",
  "delete change_pictures": "removed",
  "delete game_update_items": "took out",
  "update reports": "handled",
  "update chat_reports": "handled",
};

const verbOf = ({ act, table_name }: Act) => DONE[`${act} ${table_name}`] ?? DONE[act] ?? act;

/** An action as the rest of a sentence that begins with the admin's name. */
export function describeAct(act: Act, names: Record<string, string>): string {
  const aboutPerson = describeAboutPerson(act);
  if (aboutPerson) return `${aboutPerson} ${nameOf(act.person_id, names)}`;
  if (act.table_name === "item_value_checks") return `found the values of ${act.title} still right`;
  if (act.table_name === "change_pictures") return `${verbOf(act)} a picture of a change of ${act.title}`;
  if (act.table_name === "game_update_items")
    return `${act.act === "delete" ? "took" : "added"} ${act.title} ${act.act === "delete" ? "out of" : "to"} a game update`;
  if (act.table_name === "contact_messages") return "deleted a contact message";
  return `${verbOf(act)} the ${nounOf(act)} ${titleOf(act)}`;
}

/** The operator's own commands and servers have no account. */
export function nameAdmin({ admin_id }: Act, names: Record<string, string>): string {
  return admin_id === null ? "The operator" : nameOf(admin_id, names);
}

function nameOf(id: string | null, names: Record<string, string>): string {
  return (id && names[id]) || "someone whose account is gone";
}

/** Placements and pages are stored words; the others are names that people chose. */
function titleOf({ title, table_name }: Act): string {
  return table_name === "ads" || table_name === "page_configurations" ? titled(title ?? "") : (title ?? "");
}

function describeAboutPerson(act: Act): string | undefined {
  const { table_name: table, act: verb, old, new: added } = act;
  const row = isRecord(added) ? added : isRecord(old) ? old : {};
  if (table === "sanctions" && verb === "insert") return SANCTIONED[row.kind as SanctionKind] ?? "sanctioned";
  if (table === "user_roles")
    return `${verb === "insert" ? "gave" : "took"} the ${row.role ?? "admin"} role ${verb === "insert" ? "to" : "from"}`;
  return isReopening(act) ? REOPENED : ABOUT_PEOPLE[`${verb} ${table}`];
}

function isReopening({ table_name, new: after }: Act): boolean {
  return /reports$/.test(table_name) && isRecord(after) && after.resolved_at === null;
}

/** One column of an action in words, before and after; null if there was or is none. */
export type Change = { column: string; before: string | null; after: string | null };

/** Columns whose subject the sentence already names. */
const IN_THE_SENTENCE = new Set([
  "id",
  "user_id",
  "rater_id",
  "reported_user_id",
  "message_id",
  "username",
  "sanction_id",
  "subject_id",
  "item_id",
]);

/** What changed, column by column; `names` are those of the rows that are referred to by id. */
export function listChanges({ old, new: added }: Act, names: Record<string, string> = {}): Change[] {
  const before = isRecord(old) ? old : {};
  const after = isRecord(added) ? added : {};
  const namesOf = (column: string) => (column.endsWith("_id") ? names : {});
  const columns = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...columns]
    .filter((column) => !IN_THE_SENTENCE.has(column))
    .map((column) => ({
      column: titled(column.replace(/_id$/, "")),
      before: column in before ? textOf(before[column], namesOf(column)) : null,
      after: column in after ? textOf(after[column], namesOf(column)) : null,
    }));
}

function textOf(value: unknown, names: Record<string, string>): string {
  if (value === null || value === "") return "nothing";
  if (value === "infinity") return "for good";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string" && MOMENT.test(value)) return formatDateTime(value, READERS_ZONE);
  if (typeof value !== "string") return JSON.stringify(value);
  return (Object.hasOwn(names, value) && names[value]) || value;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Actions of one kind by one admin at one moment, such as the rows of an import; `isCut` if it has older ones. */
export type ActGroup = { key: number; acts: [Act, ...Act[]]; isCut: boolean };

/** Merges neighboring actions of one transaction into one entry; `older` is the first that is not read yet. */
export function groupActs(acts: readonly Act[], older: Act | null = null): ActGroup[] {
  const groups: ActGroup[] = [];
  for (const act of acts) {
    const last = groups.at(-1);
    if (last && isSameMoment(last.acts[0], act)) last.acts.push(act);
    else groups.push({ key: act.id, acts: [act], isCut: false });
  }
  const last = groups.at(-1);
  if (last && older) last.isCut = isSameMoment(last.acts[0], older);
  return groups;
}

function isSameMoment(a: Act, b: Act): boolean {
  return a.at === b.at && a.admin_id === b.admin_id && a.act === b.act && a.table_name === b.table_name;
}

/** A group as the rest of a sentence: its only action, or the number of actions. */
export function describeGroup({ acts, isCut }: ActGroup, names: Record<string, string>): string {
  const [first] = acts;
  if (acts.length === 1 && !isCut) return describeAct(first, names);
  const { noun, nouns } = ACT_TABLES[first.table_name] ?? { noun: first.table_name };
  const count = (one: string, many?: string) =>
    `${isCut ? "more than " : ""}${countOf(acts.length, one, many)}`;
  if (first.table_name === "item_value_checks") return `found the values of ${count("item")} still right`;
  const verb = isReopening(first) ? "reopened" : verbOf(first);
  return `${verb} ${count(noun, nouns)} at once`;
}

import type { User } from "@supabase/supabase-js";
import type { Client } from "#app/features/site/client.ts";
import { readAll } from "#app/features/site/read-all.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import type { Database } from "#supabase/database.types.ts";

type Tables = Database["public"]["Tables"];

/** What users may read of their sanctions: everything except who imposed them. */
const SANCTION =
  "id, kind, code, reason, subject_id, removed, until, created_at, counts_until, done_at, lifted_at, appeals(message, created_at, granted, answer, answered_at)";
/** What users may read of the values they proposed: everything except who decided. */
const PROPOSAL =
  "id, item_id, field, old_value, new_value, reason_code, note, evidence_url, picture, state, proposed_as, proposed_at, decision_note, published_at";

/** What editors may read of the sets they made: everything except who published them or rolled them back. */
const SET = "id, name, state, planned_for, fault, created_at, published_at, rolled_back_at";

/** What the copy contains, in plain words: the file has these keys and no others. */
export const CONTENTS = {
  Account: {
    account: "Your email, when you signed up, the ways you sign in and your second factors.",
    passkeys: "Your passkeys.",
    applications: "The applications that may act for you.",
    roles: "Your roles.",
  },
  "Sessions and account log": {
    open_sign_ins: "Where you’re signed in.",
    account_log: "What was changed when and from which IP address.",
  },
  Profile: {
    profile: "Your username, and whether the community sees you.",
    pictures: "Your pictures.",
    age_group: "Your age group.",
  },
  "Saved trades": {
    saved_trades: "What was on each side, what it came to, and your notes on who you traded with.",
  },
  Ratings: { ratings_given: "The ratings you gave.", ratings_received: "The ones you received." },
  Chat: {
    chat_messages: "Your messages.",
    chat_reactions: "Your reactions.",
    chat_mutes: "The people you muted.",
    chat_silence: "Any pause a moderator set.",
  },
  Moderation: {
    reports: "The reports you sent.",
    sanctions: "What moderators decided about you, and your appeals.",
  },
  Requests: { requests: "The words you asked for, and when a parent was asked and answered." },
  "Work on values": {
    value_proposals: "The values you proposed.",
    value_sets: "The sets you made.",
    skipped_items: "The items you skipped.",
    public_editor_name: "Your public name as an editor.",
    news_by_mail: "Whether you get news by mail.",
  },
} as const;

type KeyOfAny<Part> = Part extends Part ? keyof Part : never;
type Key = KeyOfAny<(typeof CONTENTS)[keyof typeof CONTENTS]>;
type OwnRows = readonly [table: keyof Tables, owner: string, order?: string, columns?: string];

/** Every table with a user's data, the owner's column, the order, and the columns if not all are for the user. */
export const OWN_ROWS = {
  profile: ["profiles", "id", "id"],
  age_group: ["age_bands", "user_id", "user_id"],
  roles: ["user_roles", "user_id"],
  value_proposals: ["value_proposals", "proposed_by", "id", PROPOSAL],
  value_sets: ["value_sets", "created_by", "created_at", SET],
  skipped_items: ["work_skips", "editor_id", "skipped_at"],
  news_by_mail: ["notice_mails", "user_id", "user_id"],
  public_editor_name: ["editor_names", "user_id", "user_id"],
  saved_trades: ["trade_history", "user_id"],
  ratings_given: ["user_ratings", "rater_id"],
  chat_messages: ["chat_messages", "user_id"],
  chat_reactions: ["chat_reactions", "user_id"],
  chat_mutes: ["chat_mutes", "user_id"],
  sanctions: ["sanctions", "user_id", "created_at", SANCTION],
  chat_silence: ["chat_silences", "user_id", "created_at", "user_id, until, reason, created_at"],
} as const satisfies Partial<Record<Key, OwnRows>>;

type ListName = "list_received_ratings" | "list_own_reports" | "list_own_requests" | "list_own_account_log";

const COUNTED = { count: "exact" } as const;

/**
 * Everything stored about a user, ready to be written as JSON. Passwords and second factors' secrets are not included:
 * nobody can read them.
 * @throws the first read's error, so that nobody takes a part for the whole
 */
export async function collectOwnData(
  client: Client,
  { letsApplicationsIn }: Pick<SiteConfig, "letsApplicationsIn">,
): Promise<Record<Key | "exported_at", unknown>> {
  const { data, error } = await client.auth.getUser();
  if (error) throw error;
  const readList = (name: ListName) =>
    readAll<unknown>((from, to) => client.rpc(name, undefined, COUNTED).range(from, to));
  const rows = await Promise.all(
    Object.entries(OWN_ROWS).map(async ([name, [table, owner, order = "created_at", columns = "*"]]) => [
      name,
      await readAll((from, to) =>
        client
          .from(table)
          .select(columns, COUNTED)
          .filter(owner, "eq", data.user.id)
          .order(order)
          .range(from, to),
      ),
    ]),
  );
  return {
    exported_at: new Date().toISOString(),
    account: describeAccount(data.user),
    open_sign_ins: (await client.rpc("list_own_sessions").throwOnError()).data,
    ratings_received: await readList("list_received_ratings"),
    reports: await readList("list_own_reports"),
    requests: await readList("list_own_requests"),
    account_log: await readList("list_own_account_log"),
    passkeys: await listPasskeys(client),
    applications: letsApplicationsIn ? await listApplications(client) : [],
    pictures: await readPictures(client, data.user.id),
    ...(Object.fromEntries(rows) as Record<keyof typeof OWN_ROWS, unknown>),
  };
}

/** Each as a data URL, which any browser shows. */
async function readPictures(client: Client, userId: string): Promise<{ name: string; content: string }[]> {
  return (await Promise.all(OWN_BUCKETS.map((bucket) => readBucket(client, bucket, userId)))).flat();
}

async function readBucket(client: Client, bucket: string, userId: string) {
  const files = client.storage.from(bucket);
  const { data, error } = await files.list(userId);
  if (error) throw error;
  return await Promise.all(
    data.map(async ({ name }) => {
      const file = await files.download(`${userId}/${name}`);
      if (file.error) throw file.error;
      return { name, content: await toDataUrl(file.data) };
    }),
  );
}

function toDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** None if the service has them disabled. */
async function listPasskeys(client: Client): Promise<unknown[]> {
  const { data, error } = await client.auth.passkey.list();
  if (error && error.code !== "passkey_disabled") throw error;
  return data ?? [];
}

async function listApplications(client: Client): Promise<unknown[]> {
  const { data, error } = await client.auth.oauth.listGrants();
  if (error) throw error;
  return data;
}

function describeAccount(user: User) {
  const { id, email, phone, new_email, created_at, last_sign_in_at, user_metadata, identities, factors } =
    user;
  const addresses = { email, ...(phone && { phone }), ...(new_email && { new_email }) };
  const ways_in = (identities ?? []).map(({ identity_id: _, user_id: __, ...identity }) => identity);
  const dates = { created_at, last_sign_in_at };
  return { id, ...addresses, ...dates, user_metadata, ways_in, second_factors: factors ?? [] };
}

/** The buckets with a folder of the user's pictures: included in the download, deleted with the account. */
export const OWN_BUCKETS = ["avatars", "avatar-uploads", "change-uploads"] as const;

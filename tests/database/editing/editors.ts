import type { Client } from "pg";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import {
  ADD_EDITOR,
  ADD_MODERATOR,
  attempt,
  become,
  becomeOwner,
  OWNERS,
  type Person,
} from "#tests/helpers/people.ts";

export const { Ana, Ben, Eve, Ned } = OWNERS;

/** A test file's own database in which Ned is an editor and Mia a moderator; `asNed` has published enough not to be new. */
export function editorsDatabase(prepare = "") {
  const { as } = ownDatabase(ADD_EDITOR + ADD_MODERATOR + prepare);
  const asNed = <Result>(scene: (client: Client) => Promise<Result>) =>
    as("Ned", async (client) => {
      await makeNedExperienced(client, "Ned");
      return scene(client);
    });
  return { as, asNed };
}

/** One cell of a call; reason and note come from the call unless given. */
export type Cell = { slug: string; field?: string; value: string | null; was: string | null; note?: string };

export type Outcome = {
  slug: string;
  field: string;
  outcome: string;
  why: string | null;
  set_id?: string | null;
};

type ReasonFields = { reason?: string | null; note?: string | null; evidence?: string | null };
const SAID = { reason: "trades_seen", note: "Seen in ten trades", evidence: null };

/** Publishes cells as the client's current user, and returns the outcome of each. */
export async function publish(client: Client, cells: Cell[], said: ReasonFields = {}): Promise<Outcome[]> {
  const { reason, note, evidence } = { ...SAID, ...said };
  const { rows } = await attempt(
    client,
    `select slug, field, outcome, why, set_id
     from public.publish_values($1, $2, $3, $4) as made left join public.items on items.id = made.item_id`,
    [await toJson(client, cells), reason, note, evidence],
  );
  return rows;
}

/** Adds cells to a set as drafts. */
export async function draft(client: Client, setId: string, cells: Cell[]): Promise<Outcome[]> {
  const { rows } = await attempt(
    client,
    `select slug, field, outcome, why
     from public.draft_values($1, $2, 'game_update', 'Update 25') as made left join public.items on items.id = made.item_id`,
    [setId, await toJson(client, cells)],
  );
  return rows;
}

async function toJson(client: Client, cells: Cell[]): Promise<string> {
  const { rows } = await client.query("select id, slug from public.items");
  const ids = new Map(rows.map(({ id, slug }) => [slug, id]));
  return JSON.stringify(
    cells.map(({ slug, field = "current_value", ...cell }) => ({
      item_id: ids.get(slug) ?? "00000000-0000-4000-8000-000000000000",
      field,
      ...cell,
    })),
  );
}

/** Gives Ned enough published changes not to count as new; the client then acts as this user. */
export async function makeNedExperienced(client: Client, person: Person): Promise<void> {
  await becomeOwner(client);
  await client.query(
    `insert into public.value_proposals (item_id, field, new_value, reason_code, state, proposed_by, proposed_as)
     select (select id from public.items where slug = 'rocket'), 'demand', 'low', 'other', 'published', $1, 'editor'
     from generate_series(1, (select new_editor_changes from private.settings))`,
    [Ned.id],
  );
  await become(client, person);
}

/** An item's row, as the client's current user. */
export async function readItem(client: Client, slug: string) {
  const { rows } = await client.query("select * from public.items where slug = $1", [slug]);
  return rows[0];
}

/** An item's latest value changes with their authors, newest first; the client then acts as this user. */
export async function readLedger(client: Client, slug: string, person: Person, count = 1) {
  await becomeOwner(client);
  const { rows } = await client.query(
    `select mode, old_value, new_value, reason, reason_code, evidence_url, changed_by, changed_as, is_seconded
     from public.item_value_changes where item_id = (select id from public.items where slug = $1)
     order by id desc limit $2`,
    [slug, count],
  );
  await become(client, person);
  return rows;
}

/** Proposals in this state that the client's current user can see. */
export async function readProposals(client: Client, state = "waiting") {
  const { rows } = await client.query(
    `select value_proposals.id, slug, field, old_value, new_value, change_percent::float, why, value_proposals.state
     from public.value_proposals join public.items on items.id = item_id
     where value_proposals.state = $1 and reason_code <> 'other' order by value_proposals.id`,
    [state],
  );
  return rows;
}

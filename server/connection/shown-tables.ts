import type { Backend, Change } from "#backend/backend.ts";
import type { HttpHandler } from "#backend/http/http-message.ts";
import type { ProcessGroup } from "#backend/memory/process-group.ts";
import type { Database } from "#supabase/database.types.ts";
import type { PageSubject } from "../pages/page-subject.ts";
import type { BackendConnection } from "./backend-connection.ts";

type Schema = Database["public"];
type Table = keyof Schema["Tables"];

/** The published tables that public pages show; changes to others, such as chat, do not affect the pages. */
export const SHOWN_TABLES = {
  items: "catalogue",
  categories: "catalogue",
  ads: "catalogue",
  page_configurations: "catalogue",
  item_value_changes: "catalogue",
  game_updates: "catalogue",
  status_words: "catalogue",
  editor_names: "catalogue",
  change_pictures: "catalogue",
  game_update_items: "catalogue",
  field_definitions: "catalogue",
  profiles: "community",
  user_ratings: "community",
} as const satisfies Partial<Record<Table, PageSubject>>;

/** What changes these tables when it is called or written to: functions, and tables and buckets with triggers. */
export const REACHING_THEM = {
  "rpc/order_categories": "catalogue",
  "rpc/import_items": "catalogue",
  "rpc/undo_import": "catalogue",
  "rpc/undo_value_change": "catalogue",
  "rpc/restore_item": "catalogue",
  "rpc/mark_game_update": "catalogue",
  "rpc/publish_values": "catalogue",
  "rpc/approve_proposals": "catalogue",
  "rpc/publish_value_set": "catalogue",
  "rpc/roll_back_value_set": "catalogue",
  item_value_checks: "catalogue",
  user_roles: "catalogue",
  "object/change-pictures": "catalogue",
  "rpc/answer_rating": "community",
  "rpc/choose_age_band": "community",
  "rpc/set_age_band": "community",
  "rpc/decide_as_parent": "community",
  "rpc/delete_as_parent": "community",
  "rpc/delete_own_account": "community",
  age_bands: "community",
  sanctions: "community",
  appeals: "community",
  "object/avatars": "community",
  // A moved file is an approved picture, of a trader or of a change.
  "object/move": "all",
} as const satisfies Partial<
  Record<Table | `rpc/${keyof Schema["Functions"]}` | `object/${string}`, PageSubject | "all">
>;

const SHOWN = new Map<string, PageSubject>(Object.entries(SHOWN_TABLES));
const WRITTEN_TO = new Map<string, PageSubject | "all">([...SHOWN, ...Object.entries(REACHING_THEM)]);
/**
 * The table, `rpc/` and the function, or `object/` and a file's bucket or `move`. Not the deletion of several files, which
 * succeeds for anybody, with none deleted.
 */
const WRITTEN = /^\/(?:rest\/v1\/((?:rpc\/)?\w+)|storage\/v1\/(object\/(?:move\b|[\w-]+(?=\/))))/;
/** Message between processes: something was written to. */
const WRITTEN_HERE = "written";
const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Notifies when pages may have changed: through the change feed a few milliseconds after any commit, and, for a write
 * through one of this machine's processes, before its response is sent, so that clients read their own writes whichever
 * process gets the next request.
 */
export function watchShownTables(
  backend: Backend,
  processGroup: ProcessGroup,
): Pick<BackendConnection, "onChange"> & { handler: HttpHandler } {
  const listeners = new Set<(subject?: PageSubject) => void>();
  const tell = (subject?: PageSubject) => {
    for (const listener of listeners) listener(subject);
  };
  const { replica } = backend;
  const follow = notifyWhenReadable(replica, tell);
  const notifyOfWrite = async (written: string) => {
    const subject = WRITTEN_TO.get(written);
    if (!subject) return;
    // Listeners read right away, so wait until the replica has the change.
    if (replica) await replica.caughtUp();
    tell(subject === "all" ? undefined : subject);
  };
  backend.onChange(({ table, position }) => {
    const subject = SHOWN.get(table);
    if (subject) follow(subject, position);
  });
  processGroup.onBroadcast(WRITTEN_HERE, notifyOfWrite);
  backend.onGap(() => (replica ? void replica.caughtUp().then(() => tell()) : tell()));
  return {
    onChange: (listener) => void listeners.add(listener),
    handler: {
      bodyAt: backend.bodyAt,
      async handle(request) {
        const response = await backend.handle(request);
        // A refused write changed nothing; without this check anybody could flush the page cache at will.
        const mayHaveWritten = !READING.has(request.method) && response.status < 300;
        const [, table, file] = (mayHaveWritten && WRITTEN.exec(request.url)) || [];
        const written = table ?? file;
        if (written && WRITTEN_TO.has(written)) {
          await notifyOfWrite(written);
          await processGroup.broadcast(WRITTEN_HERE, written);
        }
        return response;
      },
    },
  };
}

/** Notifies of a committed change at once, or as soon as the replica that pages are read from has it. */
function notifyWhenReadable(replica: Backend["replica"], tell: (subject: PageSubject) => void) {
  const latest = new Map<PageSubject, Change["position"]>();

  async function notifyOnceReplicated(
    subject: PageSubject,
    from: NonNullable<typeof replica>,
  ): Promise<void> {
    let until: Change["position"] | undefined;
    // Coalesces the changes that arrive while it waits.
    while (until !== latest.get(subject)) {
      until = latest.get(subject);
      await from.caughtUp(until);
      tell(subject);
    }
    latest.delete(subject);
  }

  return (subject: PageSubject, committedAt: Change["position"]): void => {
    if (!replica) {
      tell(subject);
      return;
    }
    const isUnderWay = latest.has(subject);
    // The position is where the commit record begins.
    latest.set(subject, committedAt + 1n);
    if (!isUnderWay) void notifyOnceReplicated(subject, replica);
  };
}

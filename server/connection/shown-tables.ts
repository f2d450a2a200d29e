import type { Backend, Change } from "#backend/backend.ts";
import type { HttpHandler } from "#backend/http/http-message.ts";
import type { Crew } from "#backend/memory/crew.ts";
import type { PageSubject } from "../pages/page-subject.ts";
import type { BackendConnection } from "./backend-connection.ts";

/** The tables that public pages show; changes of others, such as chat, leave the pages as they are. */
const SHOWN_TABLES = new Map<string, PageSubject>([
  ["items", "catalogue"],
  ["categories", "catalogue"],
  ["ads", "catalogue"],
  ["page_configurations", "catalogue"],
  ["item_value_changes", "catalogue"],
  ["item_value_checks", "catalogue"],
  ["game_updates", "catalogue"],
  ["status_words", "catalogue"],
  ["editor_names", "catalogue"],
  ["change_pictures", "catalogue"],
  ["game_update_items", "catalogue"],
  ["field_definitions", "catalogue"],
  ["profiles", "community"],
  ["user_ratings", "community"],
  // Functions that write to them.
  ["rpc/order_categories", "catalogue"],
  ["rpc/import_items", "catalogue"],
  ["rpc/undo_import", "catalogue"],
  ["rpc/undo_value_change", "catalogue"],
  ["rpc/restore_item", "catalogue"],
  ["rpc/mark_game_update", "catalogue"],
  ["rpc/publish_values", "catalogue"],
  ["rpc/approve_proposals", "catalogue"],
  ["rpc/publish_value_set", "catalogue"],
  ["rpc/roll_back_value_set", "catalogue"],
  ["rpc/delete_own_account", "community"],
]);
const WRITTEN = /^\/rest\/v1\/((?:rpc\/)?\w+)/;
/** What the processes tell each other: somebody wrote to this table. */
const WRITTEN_HERE = "written";
const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Tells when pages may have changed: by the feed of committed changes a few milliseconds after a commit, whoever
 * made it, and for a write through one of the machine's processes before its answer goes out, so that who wrote reads
 * what was written, whichever process the next request comes to.
 */
export function watchShownTables(
  backend: Backend,
  crew: Crew,
): Pick<BackendConnection, "onChange"> & { door: HttpHandler } {
  const listeners = new Set<(subject?: PageSubject) => void>();
  const tell = (subject?: PageSubject) => {
    for (const listener of listeners) listener(subject);
  };
  const { replica } = backend;
  const follow = tellWhenReadable(replica, tell);
  const tellOfTable = async (table: string) => {
    const subject = SHOWN_TABLES.get(table);
    if (!subject) return;
    // Whoever hears of it reads it.
    if (replica) await replica.caughtUp();
    tell(subject);
  };
  backend.onChange(({ table, position }) => {
    const subject = SHOWN_TABLES.get(table);
    if (subject) follow(subject, position);
  });
  crew.onTold(WRITTEN_HERE, tellOfTable);
  backend.onGap(() => (replica ? void replica.caughtUp().then(() => tell()) : tell()));
  return {
    onChange: (listener) => void listeners.add(listener),
    door: {
      bodyAt: backend.bodyAt,
      async handle(request) {
        const response = await backend.handle(request);
        // A refused write changed nothing: else anybody could throw the kept pages away as fast as they ask.
        const mayHaveWritten = !READING.has(request.method) && response.status < 300;
        const written = mayHaveWritten ? WRITTEN.exec(request.url)?.[1] : undefined;
        if (written && SHOWN_TABLES.has(written)) {
          await tellOfTable(written);
          await crew.tell(WRITTEN_HERE, written);
        }
        return response;
      },
    },
  };
}

/** Tells of a committed change at once, or when the replica that pages are read of has it too. */
function tellWhenReadable(replica: Backend["replica"], tell: (subject: PageSubject) => void) {
  const latest = new Map<PageSubject, Change["position"]>();

  async function tellInTime(subject: PageSubject, from: NonNullable<typeof replica>): Promise<void> {
    let until: Change["position"] | undefined;
    // Of many changes at once, those that came while it waited go together.
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
    // The place is where the commit's own note begins.
    latest.set(subject, committedAt + 1n);
    if (!isUnderWay) void tellInTime(subject, replica);
  };
}

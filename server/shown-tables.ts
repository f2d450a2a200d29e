import type { Backend } from "#backend/backend.ts";
import type { HttpHandler } from "#backend/http/http-message.ts";
import type { BackendConnection } from "./backend-connection.ts";

/** What public pages show; news of other tables, such as chat, leaves them as they are. */
const SHOWN_TABLES = [
  "items",
  "categories",
  "ads",
  "page_configurations",
  "item_value_changes",
  "item_value_checks",
  "field_definitions",
];
const WRITES_SHOWN = new RegExp(`^/rest/v1/(rpc/|(${SHOWN_TABLES.join("|")})(\\?|$))`);
const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Tells when pages may have changed: by the feed of committed changes a few milliseconds after a commit, whoever
 * made it, and for a write through this process before its answer goes out, so that who wrote reads what was written.
 */
export function watchShownTables(
  backend: Backend,
): Pick<BackendConnection, "onChange"> & { handle: HttpHandler } {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  backend.onChange((change) => void (SHOWN_TABLES.includes(change.table) && tell()));
  backend.onGap(tell);
  return {
    onChange: (listener) => void listeners.add(listener),
    async handle(request) {
      const response = await backend.handle(request);
      if (!READING.has(request.method) && WRITES_SHOWN.test(request.url)) tell();
      return response;
    },
  };
}

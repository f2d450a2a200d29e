import type { Database } from "#backend/postgres/database.ts";

const SWEEP_MS = 60 * 60_000;

/** Deletes messages of more than three days from `realtime.messages`, now and every hour; gives how to stop. */
export function sweepMessages(database: Database): () => void {
  const sweep = () =>
    void database
      .batch([
        { text: "select set_config('role', 'service_role', true)", values: [] },
        {
          text: "delete from realtime.messages where inserted_at < now() - interval '3 days'",
          values: [],
        },
      ])
      // The next hour comes.
      .catch(() => {});
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
  sweep();
  return () => clearInterval(timer);
}

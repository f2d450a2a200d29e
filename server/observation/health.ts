import { statfs } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { withTimeout } from "#backend/memory/with-timeout.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";

/** Two WAL segments: with less, PostgreSQL may stop at any write. */
const LEAST_ROOM = 32 * 1024 * 1024;
/** Half of the one-second response target; the rest is slack for a busy machine. */
const PATIENCE_MS = 500;

const UNAVAILABLE = "backend unavailable";

type Backend = Pick<BackendConnection, "supabase" | "diskFailed" | "primaryAnswers" | "dataDir">;

/**
 * Answers `GET /livez`: 200 as long as this process responds at all; `GET /readyz`: 200 if the backend answers a read,
 * so that it may receive traffic; and `GET /healthz`: 200 if the backend answers a read and has room for writes, else
 * 503. Cached pages are served either way, so a 503 here means "send new visitors elsewhere if you can", not "restart".
 * The checks write nothing.
 */
export function createHealth(backend: Backend): RequestListener {
  let late: Promise<unknown> | null = null;

  /** Does not wait again for an earlier check that still hangs. */
  async function findWithTimeout(): Promise<string | null> {
    if (late) return UNAVAILABLE;
    const finding = findProblem(backend);
    return withTimeout(finding, PATIENCE_MS, () => {
      late = finding
        .catch(() => {})
        .finally(() => {
          late = null;
        });
      return UNAVAILABLE;
    });
  }

  return async ({ url }, response) => {
    const found = url === "/livez" ? null : await findWithTimeout().catch(() => UNAVAILABLE);
    // Reads work without free disk space, and from a replica.
    const problem = url === "/readyz" && found !== UNAVAILABLE ? null : found;
    const body = JSON.stringify({ status: problem ?? "ok" });
    const headers = {
      "content-type": "application/json",
      "cache-control": "no-store",
      "content-length": String(body.length),
    };
    response.writeHead(problem ? 503 : 200, headers).end(body);
  };
}

async function findProblem({
  supabase,
  diskFailed,
  primaryAnswers,
  dataDir,
}: Backend): Promise<string | null> {
  const { error } = await supabase.from("categories").select("id").limit(1);
  if (error) return UNAVAILABLE;
  if (!primaryAnswers()) return "backend takes no writes";
  if (diskFailed() || (dataDir && !(await hasRoom(dataDir)))) return "no room on the disk";
  return null;
}

/** Space available to non-root users, such as PostgreSQL's account. */
async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= LEAST_ROOM;
}

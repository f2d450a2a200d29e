import type { RequestListener } from "node:http";
import type { BackendConnection } from "./backend-connection.ts";

/**
 * Answers `GET /healthz`: 200 when the backend answers a read, else 503. Kept pages are served either way, so a
 * 503 here means "send new visitors elsewhere if you can", not "restart".
 */
export function createHealth({ supabase }: BackendConnection): RequestListener {
  return async (_, response) => {
    const { error } = await supabase.from("categories").select("id").limit(1);
    const body = JSON.stringify({ status: error ? "backend unavailable" : "ok" });
    const headers = {
      "content-type": "application/json",
      "cache-control": "no-store",
      "content-length": String(body.length),
    };
    response.writeHead(error ? 503 : 200, headers).end(body);
  };
}

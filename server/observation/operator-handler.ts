import type { RequestListener } from "node:http";
import { bearerToken } from "#backend/tokens/bearer-token.ts";
import type { OperationReport } from "#domain/operation/operation-report.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";

/** Serves the operation report to admins only: the database checks the caller's token, second factor included. */
export function createOperatorHandler(
  { supabase }: Pick<BackendConnection, "supabase">,
  read: () => Promise<OperationReport>,
  common: Record<string, string>,
): RequestListener {
  /** Returns the response status. */
  async function judge(method: string | undefined, authorization: string | undefined): Promise<number> {
    if (method !== "GET") return 405;
    if (authorization === undefined || !bearerToken(authorization)) return 401;
    const asking = supabase.rpc("may_operate", undefined, { get: true });
    const { data, status } = await asking.setHeader("authorization", authorization);
    if (data === true) return 200;
    return status === 200 || (status >= 400 && status < 500) ? 403 : 503;
  }

  return async ({ method, headers }, response) => {
    const status = await judge(method, headers.authorization).catch(() => 503);
    const report = status === 200 ? await read().catch(() => null) : null;
    const body = report ? JSON.stringify(report) : "";
    response.writeHead(status === 200 && !report ? 503 : status, {
      ...common,
      ...(report && { "content-type": "application/json; charset=utf-8" }),
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "no-store",
    });
    response.end(body);
  };
}

import type { Row } from "#backend/postgres/database.ts";
import { validationFailed } from "../../auth-error.ts";
import type { Reply } from "../../requests/call.ts";
import type { AdminCall } from "../../requests/require-admin.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { toTime } from "../../users/user-json.ts";
import { pageHeaders, readPage, readSearch } from "./paging.ts";

/** The entry members that a query such as `author:mara`, `action:login` or `type:token` searches. */
const SCOPES: Record<string, string[]> = {
  author: ["actor_username", "actor_name"],
  action: ["action"],
  type: ["log_type"],
};

/** GET /admin/audit: a page of the audit log, newest first. */
export async function listAuditEntries(call: AdminCall, service: AuthService): Promise<Reply> {
  const { page, perPage } = readPage(call.query);
  const search = readSearch(call.query, "query");
  const { condition, values } = readScope(search);
  const { query } = service.database;
  const [entries, [row]] = await Promise.all([
    query(
      `select id, payload, created_at, ip_address from auth.audit_log_entries where ${condition}
       order by created_at desc, id limit ${perPage} offset ${(page - 1) * perPage}`,
      values,
    ),
    query(`select count(*) from auth.audit_log_entries where ${condition}`, values),
  ]);
  return {
    status: 200,
    body: entries.map(toJson),
    headers: pageHeaders("/admin/audit", { query: search }, { page, perPage, total: Number(row?.count) }),
  };
}

/** @throws AuthError 400 for an unknown scope */
function readScope(search: string): { condition: string; values: string[] } {
  if (search === "") return { condition: "true", values: [] };
  const [scope = "", ...rest] = search.split(":");
  if (!Object.hasOwn(SCOPES, scope) || rest.length === 0) {
    throw validationFailed(`Invalid query scope: ${search.slice(0, 50)}`);
  }
  const members = SCOPES[scope] as string[];
  const condition = members.map((name) => `strpos(lower(payload ->> '${name}'), lower($1)) > 0`);
  return { condition: `(${condition.join(" or ")})`, values: [rest.join(":")] };
}

function toJson({ id, payload, created_at, ip_address }: Row) {
  return { id, payload: JSON.parse(payload ?? "{}"), created_at: toTime(created_at), ip_address };
}

import type { Reply } from "../../../requests/call.ts";
import type { AdminCall } from "../../../requests/require-admin.ts";
import type { AuthService } from "../../../service/auth-service.ts";
import { toUserJson } from "../../../users/user-json.ts";
import { listUsers as readUsers } from "../../../users/user-row.ts";
import { pageHeaders, readPage } from "../paging.ts";

/** GET /admin/users: a page of all accounts, newest first, with the total and links to other pages. */
export async function listUsers(call: AdminCall, service: AuthService): Promise<Reply> {
  const { page, perPage } = readPage(call.query);
  const { query } = service.database;
  const [users, [row]] = await Promise.all([
    readUsers(query, page, perPage),
    query("select count(*) from auth.users"),
  ]);
  return {
    status: 200,
    body: { users: users.map(toUserJson), aud: service.config.audience },
    headers: pageHeaders("/admin/users", { page, perPage, total: Number(row?.count) }),
  };
}

import { validationFailed } from "../../../auth-error.ts";
import type { Reply } from "../../../requests/call.ts";
import type { AdminCall } from "../../../requests/require-admin.ts";
import type { AuthService } from "../../../service/auth-service.ts";
import { toUserJson } from "../../../users/user-json.ts";
import { countUsers, listUsers as readUsers } from "../../../users/user-row.ts";
import { pageHeaders, readPage, readSearch } from "../paging.ts";

/**
 * GET /admin/users: a page of all accounts, or of those whose email address or full name contains `filter`, newest
 * first unless `sort` says otherwise, with the total and links to other pages.
 */
export async function listUsers(call: AdminCall, service: AuthService): Promise<Reply> {
  const { page, perPage } = readPage(call.query);
  const filter = readSearch(call.query, "filter");
  const sort = readSearch(call.query, "sort");
  const order = readOrder(sort);
  const { query } = service.database;
  const [users, total] = await Promise.all([
    readUsers(query, { filter, order, page, perPage }),
    countUsers(query, filter),
  ]);
  return {
    status: 200,
    body: { users: users.map(toUserJson), aud: service.config.audience },
    headers: pageHeaders("/admin/users", { filter, sort }, { page, perPage, total }),
  };
}

/** `created_at`, optionally followed by `asc` or `desc`. @throws AuthError 400 for anything else */
function readOrder(sort: string): "asc" | "desc" {
  if (sort === "") return "desc";
  const [field = "", direction = "desc", ...more] = sort.split(" ");
  if (field !== "created_at") throw refused(`bad field for sort '${field.slice(0, 50)}'`);
  const order = direction.toLowerCase();
  if (more.length > 0 || (order !== "asc" && order !== "desc")) {
    throw refused(`bad direction for sort '${sort.slice(0, 50)}', only 'asc' and 'desc' allowed`);
  }
  return order;
}

const refused = (why: string) => validationFailed(`Bad Sort Parameters: ${why}`);

import { validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { requireAdmin } from "../requests/authenticate.ts";
import type { Call, Reply } from "../requests/call.ts";
import { toUserJson } from "../users/user-json.ts";
import { listUsers as readUsers } from "../users/user-row.ts";

const PER_PAGE = 50;
const PER_PAGE_AT_MOST = 1000;

/** GET /admin/users: a page of all accounts, the newest first, with the total and where the other pages are. */
export async function listUsers(call: Call, service: AuthService): Promise<Reply> {
  await requireAdmin(call.request, service);
  const page = readCount(call.query.get("page"), 1);
  const perPage = Math.min(readCount(call.query.get("per_page"), PER_PAGE), PER_PAGE_AT_MOST);
  const { query } = service.database;
  const [users, [row]] = await Promise.all([
    readUsers(query, page, perPage),
    query("select count(*) from auth.users"),
  ]);
  const total = Number(row?.count);
  return {
    status: 200,
    body: { users: users.map(toUserJson), aud: "authenticated" },
    headers: { "x-total-count": String(total), link: describePages(page, perPage, total) },
  };
}

function readCount(text: string | null, otherwise: number): number {
  if (text === null || text === "") return otherwise;
  if (!/^\d{1,6}$/.test(text)) throw validationFailed("Bad Pagination Parameters");
  return Number(text) || otherwise;
}

/** RFC 8288, as the official client reads it. */
function describePages(page: number, perPage: number, total: number): string {
  const last = Math.max(1, Math.ceil(total / perPage));
  const link = (to: number, name: string) => `</admin/users?page=${to}&per_page=${perPage}>; rel="${name}"`;
  return [...(page < last ? [link(page + 1, "next")] : []), link(last, "last")].join(", ");
}

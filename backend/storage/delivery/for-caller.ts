import type { Reply } from "../requests/call.ts";

/** No cache may show it to somebody else: the next person at the same browser, or behind the same proxy. */
export function forCaller(reply: Reply): Reply {
  const vary = [reply.headers?.vary, "Authorization", "apikey"].filter(Boolean).join(", ");
  return { ...reply, headers: { ...reply.headers, vary } };
}

import type { Reply } from "../requests/call.ts";

/** Keeps caches from serving the response to another user of the same browser or proxy. */
export function forCaller(reply: Reply): Reply {
  const vary = [reply.headers?.vary, "Authorization", "apikey"].filter(Boolean).join(", ");
  return { ...reply, headers: { ...reply.headers, vary } };
}

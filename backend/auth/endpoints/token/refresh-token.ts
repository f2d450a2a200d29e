import * as v from "valibot";
import { validationFailed } from "../../auth-error.ts";
import type { Try } from "../../limits/rate-limits.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import type { AuthService } from "../../service/auth-service.ts";
import {
  type Found,
  refreshSession,
  refreshTokenNotFound,
  stepsToFind,
} from "../../sessions/refresh-session.ts";
import { readRefreshToken } from "../../sessions/refresh-token.ts";
import { replySession } from "../../sessions/session-answer.ts";

const Body = v.object({ refresh_token: text });

/** POST /token?grant_type=refresh_token */
export async function refresh(call: Call, service: AuthService): Promise<Reply> {
  const { refresh_token: token } = readBody(call.request, Body);
  if (token === "") throw validationFailed("refresh_token required");
  const content = readRefreshToken(token, service.secret);
  // Valid tokens are limited per session, since many users may share an address; guesses are limited per address.
  const key = content ? `session ${content.sessionId}` : call.client.network;
  const tries: Try[] = [{ action: "refresh", key }];
  const found = await service.limits.takeAll(tries, content ? stepsToFind(content.sessionId) : []);
  if (!content) throw refreshTokenNotFound();
  const refreshed = await refreshSession(found as Found, content, service, call.client);
  return replySession(service, { ...refreshed, isNewDevice: false });
}

import * as v from "valibot";
import { validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { Try } from "../limits/rate-limits.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import {
  type Found,
  refreshSession,
  refreshTokenNotFound,
  stepsToFind,
} from "../sessions/refresh-session.ts";
import { readRefreshToken } from "../sessions/refresh-token.ts";
import { answerSession } from "../sessions/session-answer.ts";

const Body = v.object({ refresh_token: text });

/** POST /token?grant_type=refresh_token */
export async function refresh(call: Call, service: AuthService): Promise<Reply> {
  const { refresh_token: token } = readBody(call.request, Body);
  if (token === "") throw validationFailed("refresh_token required");
  const ticket = readRefreshToken(token, service.secret);
  const tries: Try[] = [{ action: "refresh", key: call.client.network }];
  const found = await service.limits.takeAll(tries, ticket ? stepsToFind(ticket.sessionId) : []);
  if (!ticket) throw refreshTokenNotFound();
  const { user, session } = await refreshSession(found as Found, ticket, service, call.client);
  return { status: 200, body: await answerSession(service, user, session) };
}

import * as v from "valibot";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { refreshSession } from "../sessions/refresh-session.ts";
import { readRefreshToken } from "../sessions/refresh-token.ts";
import { answerSession } from "../sessions/session-answer.ts";

const Body = v.object({ refresh_token: text });

/** POST /token?grant_type=refresh_token */
export async function refresh(call: Call, service: AuthService): Promise<Reply> {
  const { refresh_token: token } = readBody(call.request, Body);
  if (token === "") throw validationFailed("refresh_token required");
  await service.limits.take("refresh", call.client.network);
  const ticket = readRefreshToken(token, service.secret);
  if (!ticket) {
    throw new AuthError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
  }
  const result = await service.database.transaction((query) =>
    refreshSession(query, ticket, service.config, call.client),
  );
  if ("refusal" in result) throw result.refusal;
  return { status: 200, body: await answerSession(service, result.user, result.session) };
}

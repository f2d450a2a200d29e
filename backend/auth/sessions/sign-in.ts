import type { AuthService } from "../auth-service.ts";
import type { Client } from "../requests/call.ts";
import type { UserRow } from "../users/user-row.ts";
import { answerSession, type SessionAnswer } from "./session-answer.ts";
import { type AuthenticationMethod, startSession } from "./start-session.ts";

/** Gives a person who has proved who they are a session, committed before its tokens leave. */
export async function signIn(
  service: AuthService,
  user: UserRow,
  method: AuthenticationMethod,
  client: Client,
): Promise<SessionAnswer> {
  const started = await service.database.transaction((query) => startSession(query, user, method, client));
  return answerSession(service, started.user, started.session);
}

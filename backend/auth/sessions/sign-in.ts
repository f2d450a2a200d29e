import type { Step } from "#backend/postgres/database.ts";
import type { Named } from "../audit/recorded.ts";
import type { AuthService } from "../auth-service.ts";
import type { Client } from "../requests/call.ts";
import { answerSession, type SessionAnswer } from "./session-answer.ts";
import { type AuthenticationMethod, startSession } from "./start-session.ts";

/** Gives a person who has proved who they are a session, committed with what is `also` to be done before its tokens leave. */
export async function signIn(
  service: AuthService,
  user: Named,
  method: AuthenticationMethod,
  client: Client,
  also: Step[] = [],
): Promise<SessionAnswer> {
  const started = await startSession(service.database.run, user, method, client, also);
  return answerSession(service, started.user, started.session);
}

import * as v from "valibot";
import { validationFailed } from "../../auth-error.ts";
import type { Call } from "../../requests/call.ts";
import { json, readBody, text } from "../../requests/read-body.ts";
import { isUuid } from "../../requests/uuid.ts";

const Body = v.object({ challenge_id: text, credential: json });

/** Reads an authenticator's response and the id of its challenge. @throws AuthError 400 */
export function readAnswer({ request }: Call): { challengeId: string; answer: Record<string, unknown> } {
  const { challenge_id: challengeId, credential: answer } = readBody(request, Body);
  if (challengeId === "") throw validationFailed("challenge_id is required");
  if (!answer) throw validationFailed("credential is required");
  if (!isUuid(challengeId)) throw validationFailed("challenge_id must be a valid UUID");
  return { challengeId, answer };
}

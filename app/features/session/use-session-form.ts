import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { FormCancelled, FormError } from "#app/ui/form/form-error.ts";
import type { FormValues, FormWork } from "#app/ui/form/submit-form.ts";
import { useForm } from "#app/ui/form/use-form.ts";
import { askForAge, needsAge } from "./ask-for-age.ts";
import { needsProof, proofQuestion } from "./ask-for-proof.ts";
import { type BackendAddress, openSession } from "./open-session.ts";
import type { SessionClient } from "./session-client.ts";
import { describeFailure } from "./show-failure.ts";

type Failure = { name?: string; message: string; code?: string | undefined; details?: string | null };

export type SessionWork<Input, Answer> = Omit<FormWork<Input, Answer>, "send"> & {
  /** Sends the form. An error in its response fails the form; `isProved` after a fresh proof of identity. */
  send(client: SessionClient, input: Input, isProved: boolean): PromiseLike<Answer> | Answer;
};

/**
 * A form sent as the current user, validated under 'Invalid input' unless another title is given. If the service
 * requires a fresh proof of identity or the age group first, the user is asked, and the form continues by itself.
 */
export function useSessionForm<Input = FormValues, Answer = unknown>({
  send,
  ...work
}: SessionWork<Input, Answer>) {
  const site = useSiteConfig();
  return useForm<Input, Answer>({
    invalidTitle: "Invalid input",
    ...work,
    send: (input) => sendProved(site, (client, isProved) => send(client, input, isProved)),
  });
}

type Send<Answer> = (client: SessionClient, isProved: boolean) => PromiseLike<Answer> | Answer;

async function sendProved<Answer>(site: BackendAddress, send: Send<Answer>): Promise<Answer> {
  try {
    const client = await openSession(site);
    let answer = await send(client, false);
    if (needsProof(errorOf(answer))) {
      if (!(await proofQuestion.ask())) throw new FormCancelled();
      answer = await send(client, true);
    }
    if (needsAge(errorOf(answer))) {
      if (!(await askForAge())) throw new FormCancelled();
      answer = await send(client, false);
    }
    const error = errorOf(answer);
    if (error) throw error;
    return answer;
  } catch (error) {
    throw error instanceof FormError ? error : toFormError(error as Failure);
  }
}

function errorOf(answer: unknown): Failure | null {
  return (answer as { error?: Failure | null } | undefined)?.error ?? null;
}

function toFormError(failure: Failure): FormError {
  return new FormError(describeFailure(failure), { fields: fieldsOfFailure(failure), cause: failure });
}

/** The fields that a refusal may concern, by its code; a form shows it at those that it has. */
const FIELDS: Record<string, readonly string[]> = {
  email_exists: ["email"],
  user_already_exists: ["email"],
  email_address_invalid: ["email"],
  weak_password: ["password"],
  same_password: ["password"],
  invalid_credentials: ["password", "proof"],
  current_password_invalid: ["current"],
  otp_expired: ["code", "proof"],
  mfa_verification_failed: ["code", "proof"],
  reauthentication_not_valid: ["nonce"],
};

/** The fields that a failure may concern; none if it concerns the whole form. */
function fieldsOfFailure({ code = "" }: { code?: string | undefined }): readonly string[] {
  return FIELDS[code] ?? [];
}

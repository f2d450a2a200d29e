import type { Session } from "@supabase/supabase-js";
import { type RefObject, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import * as v from "valibot";
import { Captcha } from "#app/features/captcha/captcha.tsx";
import { ProofCode } from "#app/features/proof/proof-code.tsx";
import { ProofField } from "#app/features/proof/proof-field.tsx";
import {
  findProof,
  isNameless,
  type Proof,
  proofSchema,
  proveIdentity,
} from "#app/features/proof/prove-identity.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { changeSession, currentSession } from "#app/features/session/session-store.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { OWN_BUCKETS } from "./own-data.ts";

const WORD = "DELETE";

const wordSchema = v.pipe(v.string(), v.trim(), v.toUpperCase(), v.literal(WORD, `Please type ${WORD}`));

type DeleteAccountFormProps = {
  /** Whether an attempt got no answer: the account may be deleted already. */
  wasUnanswered: RefObject<boolean>;
  onCancel: () => void;
};

/** Requires typing a word that nobody types by accident, and proof of identity unless the sign-in is fresh. */
export default function DeleteAccountForm({ wasUnanswered, onCancel }: DeleteAccountFormProps) {
  const { session } = useSession();
  const navigate = useNavigate();
  useEffect(() => stopLeaving, []);
  // The state when the dialog opened: a proof in between makes the session fresh.
  const [proof, setProof] = useState<Proof>(() => {
    const needed = findProof(session);
    return isNameless(needed) ? { kind: "none" } : needed;
  });
  const { form, button, isBusy } = useSessionForm({
    schema: v.object({ word: wordSchema, ...proofSchema(proof).entries }),
    async send(client, input) {
      if (wasUnanswered.current && (await isDeleted(client))) return { error: null };
      const proved = await proveIdentity(client, proof, input.proof);
      if (proved.error) return proved;
      const { data } = await client.auth.getSession();
      const due = requireFresh(data.session);
      if (due) return due;
      const answer = await deleteOwnAccount(client, data.session?.user.id ?? "");
      if (!answer.isUnsure) return answer;
      wasUnanswered.current = true;
      return (await isDeleted(client)) ? { error: null } : answer;
    },
    done() {
      showToast({ title: "Account deleted", description: "Your account and its data are gone." });
      void navigate("/");
    },
  });
  /** A sign-in that was fresh when the dialog opened may be no longer, and the pictures would be gone by then. */
  function requireFresh(current: Session | null): Answer | null {
    const needed = findProof(current);
    if (needed.kind === "none") return null;
    // The dialog for proofs offers passkeys and providers.
    if (isNameless(needed)) return { error: { code: "reauthentication_needed", message: LOG_IN_AGAIN } };
    setProof(needed);
    throw new FormError("Your sign-in is too long ago by now. Please confirm that it’s you.");
  }

  return (
    <div className="grid gap-5">
      <p>Everything you have here is deleted right away, on all your devices. This can’t be undone.</p>
      <Form {...form} className="grid gap-5">
        <TextField
          label={`Type ${WORD} to continue`}
          name="word"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          required
        />
        <ProofField proof={proof} />
        <FormActions
          button={button}
          label={isBusy ? "Deleting…" : "Delete for good"}
          variant="danger"
          onCancel={onCancel}
          cancel="Keep my account"
        />
      </Form>
      <ProofCode proof={proof} onSent={setProof} />
      {(proof.kind === "password" || proof.kind === "code") && <Captcha />}
    </div>
  );
}

const LOG_IN_AGAIN = "Please log in again first: deleting an account needs a fresh sign-in.";

type Answer = {
  error: { message: string; code?: string | undefined } | null;
  /** Whether the account may be deleted in spite of the error. */
  isUnsure?: boolean;
};

/** Pictures first, since a deleted account can no longer delete any; then the account with all that is its own. */
async function deleteOwnAccount(client: SessionClient, userId: string): Promise<Answer> {
  const files = await removeOwnPictures(client, userId);
  if (files.error) return files;
  const deleted = await client.rpc("delete_own_account");
  if (deleted.error) return { error: deleted.error, isUnsure: isUnanswered(deleted.error) };
  changeSession({ isLeaving: true });
  // The service no longer accepts the token, which the client treats as signed out.
  return client.auth.signOut({ scope: "local" });
}

function stopLeaving(): void {
  if (currentSession().session) changeSession({ isLeaving: false });
}

/** After an attempt without an answer. @throws FormError if the service can't be asked, or refuses this session */
async function isDeleted(client: SessionClient): Promise<boolean> {
  // The page reports the end of the session itself.
  changeSession({ isLeaving: true });
  const { error } = await client.auth.getUser();
  // Any other refusal only tells that the session ended, as after a logout elsewhere.
  if (error?.code === "user_not_found") {
    await client.auth.signOut({ scope: "local" });
    return true;
  }
  // While it can't be asked, the form stays open to ask again, though the session may have ended with the account.
  changeSession({ isLeaving: error !== null && isUnanswered(error) });
  if (error) throw new FormError(UNSURE);
  return false;
}

const UNSURE =
  "No answer came: your account may be deleted already. Please try again in a moment to be sure.";

async function removeOwnPictures(client: SessionClient, userId: string): Promise<Answer> {
  for (const bucket of OWN_BUCKETS) {
    const files = client.storage.from(bucket);
    const { data, error } = await files.list(userId);
    if (error) return { error };
    if (data.length === 0) continue;
    const removed = await files.remove(data.map(({ name }) => `${userId}/${name}`));
    if (removed.error) return removed;
  }
  return { error: null };
}

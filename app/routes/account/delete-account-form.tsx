import { useState } from "react";
import { useNavigate } from "react-router";
import { useSession } from "#app/features/session/use-session.ts";
import { type Reading, type Texts, useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { deleteOwnAccount } from "./delete-own-account.ts";
import { ProofField } from "./proof-field.tsx";
import { findProof, type Proof, proveIdentity, sendProofCode } from "./prove-identity.ts";

const WORD = "DELETE";

type Wish = { proof: Proof; secret: string };

/** Asks for a word that nobody types by accident, and for a proof unless the sign-in is fresh. */
export function DeleteAccountForm({ onCancel }: { onCancel: () => void }) {
  const { session } = useSession();
  const navigate = useNavigate();
  // As it was when the dialog opened: a proof in between makes the session a fresh one.
  const [proof, setProof] = useState<Proof>(() => findProof(session));
  const { form, button } = useSubmit({
    read: (texts) => readWish(texts, proof),
    async send(client, { proof: how, secret }) {
      const proved = await proveIdentity(client, how, secret);
      return proved.error ? proved : await deleteOwnAccount(client);
    },
    done() {
      showToast({ title: "Account deleted", description: "Your account and its data are gone." });
      void navigate("/");
    },
  });
  return (
    <div className="grid gap-5">
      <p>Everything of yours here goes at once, on all your devices. This cannot be undone.</p>
      <form {...form} className="grid gap-5">
        <TextField
          label={`Type ${WORD} to go on`}
          name="word"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          required
        />
        <ProofField proof={proof} />
        <div className="flex flex-wrap gap-3">
          <Button {...button} variant="danger">
            {button.disabled ? "Deleting…" : "Delete for good"}
          </Button>
          <Button onClick={onCancel}>Keep my account</Button>
        </div>
      </form>
      {proof.kind === "password" && (
        <MailCode email={proof.email} onSent={() => setProof({ kind: "code", email: proof.email })} />
      )}
    </div>
  );
}

/** For accounts that have no password, or whose owner forgot it. */
function MailCode({ email, onSent }: { email: string; onSent: () => void }) {
  const { form, button } = useSubmit({
    read: () => ({ input: email }),
    send: sendProofCode,
    done: onSent,
  });
  return (
    <form {...form}>
      <Button {...button} variant="ghost" size="sm">
        No password? Mail me a code
      </Button>
    </form>
  );
}

function readWish({ word = "", proof: secret = "" }: Texts, proof: Proof): Reading<Wish> {
  if (word.trim().toUpperCase() !== WORD) return { field: "word", message: `Please type ${WORD}` };
  if (proof.kind === "password" && secret === "") {
    return { field: "proof", message: "Please enter your password" };
  }
  const digits = secret.replace(/\s/g, "");
  if ((proof.kind === "code" || proof.kind === "totp") && !/^\d{6,10}$/.test(digits)) {
    return { field: "proof", message: "Please enter the digits of the code" };
  }
  return { input: { proof, secret: proof.kind === "password" ? secret : digits } };
}

import type { Session } from "@supabase/supabase-js";
import { useState } from "react";
import { Captcha } from "#app/features/captcha/captcha.tsx";
import { proofQuestion } from "#app/features/session/ask-for-proof.ts";
import { useQuestion } from "#app/features/session/question.ts";
import { listVerifiedFactors } from "#app/features/session/second-factor.ts";
import { SessionButton } from "#app/features/session/session-button.tsx";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { KeyIcon } from "#app/features/sign-in/key-icon.tsx";
import { linkedOf } from "#app/features/sign-in/linked-identities.ts";
import { ProviderButton } from "#app/features/sign-in/provider-button.tsx";
import type { SignInProvider } from "#app/features/sign-in/sign-in-provider.ts";
import { supportsPasskeys } from "#app/features/sign-in/supports-passkeys.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { ProofCode } from "./proof-code.tsx";
import { ProofField } from "./proof-field.tsx";
import {
  chooseProofMethod,
  isNameless,
  type Proof,
  proofSchema,
  proveByPasskey,
  proveIdentity,
} from "./prove-identity.ts";

type ProofDialogProps = {
  /** Why proof is required, as a sentence. */
  why?: string;
  /** Providers by which the user may prove their identity; they redirect back to /account. */
  providers?: readonly SignInProvider[];
};

/** Asks for proof of identity before a sensitive change; once per page. */
export function ProofDialog({
  why = "This changes how you sign in, so please confirm that it’s you.",
  providers = [],
}: ProofDialogProps) {
  const { session } = useSession();
  const [isOpen, end] = useQuestion(proofQuestion);
  return (
    <Dialog open={isOpen} onClose={() => end(false)} title="Is it really you?">
      {session && <ProofForm session={session} why={why} providers={providers} onEnd={end} />}
    </Dialog>
  );
}

type ProofFormProps = {
  session: Session;
  why: string;
  providers: readonly SignInProvider[];
  onEnd: (proved: boolean) => void;
};

function ProofForm({ session, why, providers, onEnd }: ProofFormProps) {
  // The state when the dialog opened: the proof itself changes the session.
  const [proof, setProof] = useState<Proof>(() => chooseProofMethod(session));
  const [hasFactor] = useState(() => listVerifiedFactors(session).length > 0);
  const isTyped = !isNameless(proof);
  const { form, button, isBusy } = useSessionForm({
    schema: proofSchema(proof),
    send: (client, input) => proveIdentity(client, proof, input.proof),
    done: () => onEnd(true),
  });
  return (
    <div className="grid gap-5">
      <p>{why}</p>
      {isTyped && (
        <Form {...form} className="grid gap-5">
          <ProofField proof={proof} />
          <FormActions
            button={button}
            label={isBusy ? "Checking…" : "Continue"}
            onCancel={() => onEnd(false)}
          />
        </Form>
      )}
      {/* If a second factor is due, nothing less will do. */}
      {!hasFactor && supportsPasskeys() && <ByPasskey onDone={() => onEnd(true)} />}
      {!hasFactor && <ByProvider session={session} providers={providers} />}
      {isTyped && <ProofCode proof={proof} onSent={setProof} />}
      <Captcha />
    </div>
  );
}

/** Redirects to a provider and returns with a fresh session; the user then repeats what they began. */
function ByProvider({ session: { user }, providers }: Pick<ProofFormProps, "session" | "providers">) {
  const ways = providers.filter(({ id }) => linkedOf(user).some(({ provider }) => provider === id));
  return ways.map((provider) => (
    <ProviderButton key={provider.id} provider={provider} label="Sign in again with" returnTo="/account" />
  ));
}

function ByPasskey({ onDone }: { onDone: () => void }) {
  const site = useSiteConfig();
  return (
    <SessionButton
      size="sm"
      icon={<KeyIcon />}
      busy="Waiting for your device…"
      send={(client) => proveByPasskey(client, site)}
      done={onDone}
    >
      Use a passkey
    </SessionButton>
  );
}

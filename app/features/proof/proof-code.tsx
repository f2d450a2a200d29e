import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { SendAgain } from "#app/features/sign-in/send-again.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { codeButton, mailProofCode, type Proof, sendProofCode } from "./prove-identity.ts";

/**
 * Sends a code: by email to users without a password or who forgot it; by text message to users whose second factor is
 * a phone.
 */
export function ProofCode({ proof, onSent }: { proof: Proof; onSent: (proof: Proof) => void }) {
  const label = codeButton(proof);
  const { form, button } = useSessionForm({
    send: (client) => sendProofCode(client, proof),
    done: (sent) => onSent(sent.proof),
  });
  if (proof.kind === "code") {
    const sendAgain = (client: SessionClient) => mailProofCode(client, proof.email);
    return <SendAgain email={proof.email} send={sendAgain} variant="ghost" size="sm" />;
  }
  if (label === null) return null;
  return (
    <Form {...form}>
      <Button {...button} variant="ghost" size="sm">
        {label}
      </Button>
    </Form>
  );
}

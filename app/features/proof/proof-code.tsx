import { SessionButton } from "#app/features/session/session-button.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { SendAgain } from "#app/features/sign-in/send-again.tsx";
import { codeButton, mailProofCode, type Proof, sendProofCode } from "./prove-identity.ts";

/** Sends a code: by email to users without a password, by text message to users whose second factor is a phone. */
export function ProofCode({ proof, onSent }: { proof: Proof; onSent: (proof: Proof) => void }) {
  if (proof.kind === "code") {
    const sendAgain = (client: SessionClient) => mailProofCode(client, proof.email);
    return <SendAgain email={proof.email} send={sendAgain} variant="ghost" size="sm" />;
  }
  const label = codeButton(proof);
  if (label === null) return null;
  return (
    <SessionButton
      variant="ghost"
      size="sm"
      send={(client) => sendProofCode(client, proof)}
      done={(sent) => onSent(sent.proof)}
    >
      {label}
    </SessionButton>
  );
}

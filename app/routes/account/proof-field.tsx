import { PasswordField } from "#app/features/session/password-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Proof } from "./prove-identity.ts";

/** Asks for what proves who is there; for nothing where the sign-in is fresh. */
export function ProofField({ proof }: { proof: Proof }) {
  if (proof.kind === "none") return null;
  if (proof.kind === "key") return <p className="text-muted">Your browser will ask for your security key.</p>;
  if (proof.kind === "password") {
    return <PasswordField label="Your password" name="proof" autoComplete="current-password" />;
  }
  return (
    <TextField
      label={proof.kind === "totp" ? "Code from your authenticator app" : "Code from the mail"}
      name="proof"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      required
      hint={proof.kind === "totp" ? "Six digits." : `We sent it to ${proof.email}.`}
    />
  );
}

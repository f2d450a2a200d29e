import { CodeField } from "#app/features/sign-in/code-field.tsx";
import { PasswordField } from "#app/features/sign-in/password-field.tsx";
import type { Proof } from "./prove-identity.ts";

/** The field for the proof; renders nothing while the sign-in is fresh. */
export function ProofField({ proof }: { proof: Proof }) {
  if (proof.kind === "none") return null;
  if (proof.kind === "key") return <p className="text-muted">Your browser will ask for your security key.</p>;
  if (proof.kind === "password") {
    return <PasswordField label="Your password" name="proof" autoComplete="current-password" />;
  }
  // A code by mail is asked for by a button, whose place this takes.
  return <CodeField name="proof" autoFocus={proof.kind === "code"} {...describeCode(proof)} />;
}

type ByCode = Extract<Proof, { kind: "totp" | "text" | "code" }>;

function describeCode(proof: ByCode): { label: string; hint: string } {
  if (proof.kind === "totp") return { label: "Code from your authenticator app", hint: "Six digits." };
  if (proof.kind === "code") return { label: "Code from the email", hint: `We sent it to ${proof.email}.` };
  const isSent = proof.challengeId !== undefined;
  return {
    label: "Code from the text message",
    hint: isSent ? "Six digits. It works once, within five minutes." : "Send one to your phone first.",
  };
}

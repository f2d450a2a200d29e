import type { Factor } from "@supabase/supabase-js";
import { useState } from "react";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { CodeField, codeSchema } from "#app/features/sign-in/code-field.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** Sends a code to the phone on request, then asks for it. */
export function PhoneFactorForm({ factor }: { factor: Factor }) {
  const [challengeId, setChallengeId] = useState("");
  const request = useSessionForm({
    send: (client) => client.auth.mfa.challenge({ factorId: factor.id, channel: "sms" }),
    done: ({ data }) => setChallengeId(data?.id ?? ""),
  });
  const proof = useSessionForm({
    schema: codeSchema,
    send: (client, { code }) => client.auth.mfa.verify({ factorId: factor.id, challengeId, code }),
    done: () => showToast({ title: "Logged in successfully" }),
  });
  return (
    <div className="grid gap-5">
      {challengeId ? (
        <Form {...proof.form} className="grid gap-5">
          <CodeField
            label="Code from the text message"
            hint="Six digits. It works once, within five minutes."
            autoFocus
          />
          <Button {...proof.button} variant="primary">
            {proof.isBusy ? "Checking…" : "Continue"}
          </Button>
        </Form>
      ) : (
        <p className="text-muted">We’ll text a code to the phone number on your account.</p>
      )}
      <Form {...request.form} className="grid">
        <Button
          {...request.button}
          variant={challengeId ? "ghost" : "primary"}
          size={challengeId ? "sm" : "md"}
        >
          {challengeId ? "Send another code" : "Send me a code"}
        </Button>
      </Form>
    </div>
  );
}

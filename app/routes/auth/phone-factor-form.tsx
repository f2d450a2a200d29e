import type { Factor } from "@supabase/supabase-js";
import { useState } from "react";
import { CodeField, readCode } from "#app/features/session/code-field.tsx";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** Sends a code to the telephone when asked to, then asks for it. */
export function PhoneFactorForm({ factor }: { factor: Factor }) {
  const [challengeId, setChallengeId] = useState("");
  const request = useSubmit({
    read: () => ({ input: { factorId: factor.id, channel: "sms" as const } }),
    send: (client, input) => client.auth.mfa.challenge(input),
    done: ({ data }) => data && setChallengeId(data.id),
  });
  const proof = useSubmit({
    read: readCode,
    send: (client, code) => client.auth.mfa.verify({ factorId: factor.id, challengeId, code }),
    done: () => showToast({ title: "Logged in successfully" }),
  });
  return (
    <div className="grid gap-5">
      {challengeId ? (
        <form {...proof.form} className="grid gap-5">
          <CodeField
            label="Code from the text message"
            hint="Six digits; it works once, for five minutes."
            autoFocus
          />
          <Button {...proof.button} variant="primary">
            {proof.button.disabled ? "Checking…" : "Continue"}
          </Button>
        </form>
      ) : (
        <p className="text-muted">We send a code to the telephone that you added to your account.</p>
      )}
      <form {...request.form} className="grid">
        <Button
          {...request.button}
          variant={challengeId ? "ghost" : "primary"}
          size={challengeId ? "sm" : "md"}
        >
          {challengeId ? "Send another code" : "Send me a code"}
        </Button>
      </form>
    </div>
  );
}

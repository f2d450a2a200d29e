import type { Factor, Session } from "@supabase/supabase-js";
import { useState } from "react";
import { useNavigate } from "react-router";
import * as v from "valibot";
import { logOut } from "#app/features/session/log-out.ts";
import { listVerifiedFactors } from "#app/features/session/second-factor.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { CodeField, codeSchema } from "#app/features/sign-in/code-field.tsx";
import { withReadableError } from "#app/features/sign-in/key-failure.ts";
import { KeyIcon } from "#app/features/sign-in/key-icon.tsx";
import { spendRecoveryCode } from "#app/features/sign-in/recovery-codes.ts";
import { supportsPasskeys } from "#app/features/sign-in/supports-passkeys.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

const FORMS: Record<string, typeof AppFactorForm> = {
  totp: AppFactorForm,
  phone: PhoneFactorForm,
  webauthn: KeyFactorForm,
};

/** The second step of a sign-in, for accounts with a second factor; users with several may choose. */
export function SecondFactorForm({ session }: { session: Session }) {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const ways = listWays(session);
  const [chosen, setChosen] = useState(ways[0]);
  const [isLost, setLost] = useState(false);
  const Form = chosen && FORMS[chosen.factor_type];

  function choose(way: Factor | undefined) {
    setLost(false);
    setChosen(way);
  }

  return (
    <div className="grid gap-5">
      {isLost ? (
        <RecoveryCodeForm />
      ) : Form ? (
        <Form key={chosen.id} factor={chosen} />
      ) : (
        <p role="alert">This browser can’t use the second factor of your account. Please use another one.</p>
      )}
      <div className="grid justify-items-center gap-1">
        {ways
          .filter((way) => isLost || way !== chosen)
          .map((way) => (
            <Button key={way.id} variant="ghost" size="sm" onClick={() => choose(way)}>
              Use {nameOf(way)} instead
            </Button>
          ))}
        {!isLost && (
          <Button variant="ghost" size="sm" onClick={() => setLost(true)}>
            Use a recovery code
          </Button>
        )}
        <Button variant="ghost" size="sm" onClick={() => logOut(site, () => navigate("/"))}>
          Not now, log out
        </Button>
      </div>
    </div>
  );
}

/** One entry stands for all security keys, since any of them works; it comes first, being the most secure. */
function listWays(session: Session): Factor[] {
  const factors = listVerifiedFactors(session);
  const key = supportsPasskeys() && factors.find(({ factor_type }) => factor_type === "webauthn");
  const codes = factors.filter(({ factor_type }) => factor_type !== "webauthn");
  return [...(key ? [key] : []), ...codes];
}

function nameOf({ factor_type, friendly_name }: Factor): string {
  if (factor_type === "webauthn") return "a security key";
  if (factor_type === "phone") return "a text message";
  return friendly_name ? `“${friendly_name}”` : "an authenticator app";
}

/** Asks for the six digits of an authenticator app. */
function AppFactorForm({ factor }: { factor: Factor }) {
  const { form, button, isBusy } = useSessionForm({
    schema: codeSchema,
    send: (client, { code }) => client.auth.mfa.challengeAndVerify({ factorId: factor.id, code }),
    done: () => showToast({ title: "Logged in successfully" }),
  });
  return (
    <Form {...form} className="grid gap-5">
      <CodeField autoFocus />
      <Button {...button} variant="primary">
        {isBusy ? "Checking…" : "Continue"}
      </Button>
    </Form>
  );
}

/** Asks for any of the account's security keys; the browser's dialog does the rest. */
function KeyFactorForm({ factor }: { factor: Factor }) {
  const { form, button, isBusy } = useSessionForm({
    send: async (client) =>
      withReadableError(await client.auth.mfa.webauthn.authenticate({ factorId: factor.id })),
    done: () => showToast({ title: "Logged in successfully" }),
  });
  return (
    <Form {...form} className="grid gap-5">
      <p className="text-muted">Have a security key ready. Your browser will ask for it.</p>
      <Button {...button} variant="primary" autoFocus>
        <KeyIcon />
        {isBusy ? "Waiting for your key…" : "Use my security key"}
      </Button>
    </Form>
  );
}

/** Sends a code to the phone on request, then asks for it. */
function PhoneFactorForm({ factor }: { factor: Factor }) {
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

const schema = v.object({
  code: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/[a-z0-9]{5}.?[a-z0-9]{5}/i, "Please enter one of your recovery codes"),
  ),
});

/** Asks for a recovery code, for users who lost their second factor. */
function RecoveryCodeForm() {
  const site = useSiteConfig();
  const { form, button, isBusy } = useSessionForm({
    schema,
    send: (client, { code }) => spendRecoveryCode(client, site, code),
    done: () =>
      showToast({
        title: "Logged in successfully",
        description:
          "That recovery code won’t work again. If you lost your second factor, remove it on your account page.",
      }),
  });
  return (
    <Form {...form} className="grid gap-5">
      <TextField
        label="Recovery code"
        name="code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        hint="One of the codes you saved when you set up your second factor, such as abcde-fghjk. Each one works once."
      />
      <Button {...button} variant="primary">
        {isBusy ? "Checking…" : "Continue"}
      </Button>
    </Form>
  );
}

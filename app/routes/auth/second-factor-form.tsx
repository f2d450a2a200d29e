import type { Session } from "@supabase/supabase-js";
import { useNavigate } from "react-router";
import { CodeField, readCode } from "#app/features/session/code-field.tsx";
import { logOut } from "#app/features/session/log-out.ts";
import { findVerifiedFactor } from "#app/features/session/second-factor.ts";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** The second half of a sign-in, for accounts that have an authenticator app. */
export function SecondFactorForm({ session }: { session: Session }) {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const { form, button } = useSubmit({
    read: readCode,
    send: (client, code) =>
      client.auth.mfa.challengeAndVerify({ factorId: findVerifiedFactor(session)?.id ?? "", code }),
    done: () => showToast({ title: "Logged in successfully" }),
  });
  return (
    <form {...form} className="grid gap-5">
      <CodeField autoFocus />
      <Button {...button} variant="primary">
        {button.disabled ? "Checking…" : "Continue"}
      </Button>
      <Button
        variant="ghost"
        size="sm"
        className="justify-self-center"
        onClick={() => logOut(site, () => navigate("/"))}
      >
        Not now: log out
      </Button>
    </form>
  );
}

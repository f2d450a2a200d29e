import { lazy, Suspense, useEffect, useId, useState } from "react";
import { useNavigate } from "react-router";
import { Captcha } from "#app/features/captcha/captcha.tsx";
import { owesSecondFactor } from "#app/features/session/second-factor.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { PasswordField } from "#app/features/sign-in/password-field.tsx";
import { ProviderButton } from "#app/features/sign-in/provider-button.tsx";
import type { SignInProvider } from "#app/features/sign-in/sign-in-provider.ts";
import { supportsPasskeys } from "#app/features/sign-in/supports-passkeys.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TabStrip } from "#app/ui/tab-strip.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { typedText } from "#domain/text/typed-number.ts";
import { AddressField, type AddressProps } from "./address-field.tsx";
import type { SentMail } from "./mailed-code-form.tsx";

// Not visible at first. The other tab's form is preloaded once this one is rendered.
const importSignUp = () => import("./sign-up-form.tsx");
const SignUpForm = lazy(importSignUp);

// For those who wait for an email or request one.
const MailSent = lazy(() => import("./mail-sent.tsx"));
const AskForMail = lazy(() => import("./ask-for-mail.tsx"));

const TABS = [
  { value: "in", label: "Sign In" },
  { value: "up", label: "Sign Up" },
] as const;
type Tab = (typeof TABS)[number]["value"];

/** The two tabs (2.auth.01), or the screens for requesting and awaiting an email. */
export function AuthPanel({ providers }: AuthPanelProps) {
  return (
    <div className="grid gap-6">
      <Forms providers={providers} />
      <Captcha />
    </div>
  );
}

type AuthPanelProps = { providers: readonly SignInProvider[] };

function Forms({ providers }: AuthPanelProps) {
  const [tab, setTab] = useState<Tab>("in");
  const [email, onEmail] = useState("");
  const [asks, onAsk] = useState<"recovery" | "link" | null>(null);
  const [mail, setMail] = useState<SentMail | null>(null);
  const panelId = useId();
  useEffect(() => void importSignUp().catch(() => undefined), []);

  function showSignIn() {
    setTab("in");
    onAsk(null);
    setMail(null);
  }

  if (mail || asks) {
    return (
      <Suspense fallback={<p className="text-muted">One moment…</p>}>
        {mail ? (
          <MailSent mail={mail} onBack={showSignIn} />
        ) : (
          asks && <AskForMail kind={asks} email={email} onMailed={setMail} onBack={showSignIn} />
        )}
      </Suspense>
    );
  }
  return (
    <div className="grid gap-6">
      <ProviderEntry providers={providers} />
      <TabStrip
        label="Account"
        tabs={TABS}
        value={tab}
        onSelect={setTab}
        panelId={panelId}
        className="[&>*]:flex-1 [&>*]:justify-center"
      />
      <div id={panelId} role="tabpanel" aria-label={tab === "in" ? "Sign In" : "Sign Up"}>
        {tab === "in" ? (
          <>
            <SignInForm {...{ email, onEmail, onAsk }} />
            <PasskeyEntry />
          </>
        ) : (
          <Suspense>
            <SignUpForm
              {...{ email, onEmail }}
              onMailed={(address) => setMail({ kind: "confirmation", email: address })}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}

const PasskeySignIn = lazy(() => import("./passkey-sign-in.tsx"));

/** Reserves space for the passkey button until it is known whether this browser supports passkeys. */
function PasskeyEntry() {
  const hydrated = useHydrated();
  if (hydrated && !supportsPasskeys()) return null;
  return (
    <div className="mt-6 min-h-20.5">
      {hydrated && (
        <Suspense>
          <PasskeySignIn />
        </Suspense>
      )}
    </div>
  );
}

/** Providers where young players already have an account; the same for sign-in and sign-up. */
function ProviderEntry({ providers }: { providers: readonly SignInProvider[] }) {
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-3">
      {providers.map((provider) => (
        <ProviderButton key={provider.id} provider={provider} label="Continue with" returnTo="/auth" />
      ))}
      <p className="flex items-center gap-3 pt-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with your email
      </p>
    </div>
  );
}

type SignInFormProps = AddressProps & {
  /** Called when the user wants an email of this kind instead of a password. */
  onAsk: (kind: "link" | "recovery") => void;
};

/** The appeal link that suspended users receive with the reason (supabase/schemas/moderation/bans.sql). */
const APPEAL = / To appeal: (\/appeal\?key=[0-9a-f-]{36})$/;

/** Sends suspended users to the page that explains why, and removes the link from the message. */
async function withoutAppeal<T extends { error: { message: string } | null }>(
  signingIn: Promise<T>,
  lead: (path: string) => void,
): Promise<T> {
  const answer = await signingIn;
  const path = answer.error && APPEAL.exec(answer.error.message)?.[1];
  if (answer.error && path) {
    answer.error.message = answer.error.message.replace(APPEAL, "");
    lead(path);
  }
  return answer;
}

/** The sign-in form validates nothing itself (5.signup.11): the service says what is wrong. */
function SignInForm({ email, onEmail, onAsk }: SignInFormProps) {
  const navigate = useNavigate();
  const { form, button, isBusy } = useSessionForm({
    send: (client, { email: typed, password }) =>
      withoutAppeal(
        client.auth.signInWithPassword({ email: typedText(String(typed)), password: String(password) }),
        (path) => void navigate(path),
      ),
    done({ data: { session } }) {
      if (!owesSecondFactor(session)) showToast({ title: "Logged in successfully" });
    },
  });
  return (
    <Form {...form} className="grid gap-5">
      <AddressField email={email} onChange={(event) => onEmail(event.target.value)} />
      <PasswordField autoComplete="current-password" />
      <Button {...button} variant="primary">
        {isBusy ? "Signing in…" : "Sign In"}
      </Button>
      <div className="grid justify-items-center gap-1">
        <Button variant="ghost" size="sm" onClick={() => onAsk("link")}>
          Email me a link or code
        </Button>
        <Button variant="ghost" size="sm" onClick={() => onAsk("recovery")}>
          Forgot your password?
        </Button>
      </div>
    </Form>
  );
}

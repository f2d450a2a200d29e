import { lazy, Suspense, useEffect, useId, useState } from "react";
import { Captcha } from "#app/features/captcha/captcha.tsx";
import type { SignInProvider } from "#app/features/session/sign-in-provider.ts";
import { TabStrip } from "#app/ui/tab-strip.tsx";
import type { SentMail } from "./mailed-code-form.tsx";
import { PasskeyEntry } from "./passkey-entry.tsx";
import { ProviderEntry } from "./provider-entry.tsx";
import { SignInForm } from "./sign-in-form.tsx";

// What is not seen at first. The other tab's form is fetched as soon as this one stands, so that nobody waits for it.
const importSignUp = () => import("./sign-up-form.tsx");
const SignUpForm = lazy(async () => ({ default: (await importSignUp()).SignUpForm }));

// For those who wait for a mail, or ask for one.
const MailSent = lazy(async () => ({ default: (await import("./mail-sent.tsx")).MailSent }));
const AskForMail = lazy(async () => ({ default: (await import("./ask-for-mail.tsx")).AskForMail }));

const TABS = [
  { value: "in", label: "Sign In" },
  { value: "up", label: "Sign Up" },
] as const;
type Tab = (typeof TABS)[number]["value"];

/** The two tabs (2.auth.01), and what stands in their place while a mail is asked for or awaited. */
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

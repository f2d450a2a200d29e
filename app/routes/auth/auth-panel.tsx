import { useId, useState } from "react";
import { TabStrip } from "#app/ui/tab-strip.tsx";
import { ForgottenPasswordForm } from "./forgotten-password-form.tsx";
import { MailSent, type SentMail } from "./mail-sent.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { SignUpForm } from "./sign-up-form.tsx";

const TABS = [
  { value: "in", label: "Sign In" },
  { value: "up", label: "Sign Up" },
] as const;
type Tab = (typeof TABS)[number]["value"];

/** The two tabs (2.auth.01), and what stands in their place while a password is forgotten or a mail awaited. */
export function AuthPanel() {
  const [tab, setTab] = useState<Tab>("in");
  const [email, onEmail] = useState("");
  const [isForgotten, setForgotten] = useState(false);
  const [mail, setMail] = useState<SentMail | null>(null);
  const panelId = useId();

  function showSignIn() {
    setTab("in");
    setForgotten(false);
    setMail(null);
  }

  if (mail) return <MailSent mail={mail} onBack={showSignIn} />;
  if (isForgotten) {
    const onMailed = (address: string) => setMail({ kind: "recovery", email: address });
    return <ForgottenPasswordForm email={email} onMailed={onMailed} onBack={showSignIn} />;
  }
  return (
    <div className="grid gap-6">
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
          <SignInForm {...{ email, onEmail }} onForgotten={() => setForgotten(true)} />
        ) : (
          <SignUpForm
            {...{ email, onEmail }}
            onMailed={(address) => setMail({ kind: "confirmation", email: address })}
          />
        )}
      </div>
    </div>
  );
}

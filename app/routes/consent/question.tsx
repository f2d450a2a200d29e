import type { OAuthAuthorizationDetails } from "@supabase/supabase-js";
import { useState } from "react";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { nameOf, placeOf } from "./application-words.ts";

/** Who asks, for what, and where the answer goes: all as text, nothing is loaded from the application. */
export function Question({ details }: { details: OAuthAuthorizationDetails }) {
  const { siteName } = useSiteConfig();
  const { client, user, redirect_uri: address } = details;
  const [isLeaving, setLeaving] = useState(false);
  const name = nameOf(client, address);
  if (isLeaving) return <p role="status">Taking you back to {name}…</p>;
  return (
    <>
      <div className="wrap-anywhere grid gap-3">
        <p>
          <strong>{name}</strong> asks to act for you at {siteName}.
        </p>
        {client.uri && <p className="text-muted">It says that its site is {client.uri}</p>}
        <p className="text-muted">
          {siteName} has not checked who runs it. Your answer is sent to <strong>{placeOf(address)}</strong>:
          allow it only if you know that, and came from there just now.
        </p>
      </div>
      <ScopeList user={user} scope={details.scope} />
      <p className="wrap-anywhere text-muted text-sm">
        You are signed in as {user.email || "someone without an email address"}. What you allow lasts until
        you remove it at Your Account.
      </p>
      <Answers id={details.authorization_id} onAnswered={() => setLeaving(true)} />
    </>
  );
}

function Answers({ id, onAnswered }: { id: string; onAnswered: () => void }) {
  const allow = useSessionForm({
    send: (client) => client.auth.oauth.approveAuthorization(id),
    done: onAnswered,
  });
  const refuse = useSessionForm({
    send: (client) => client.auth.oauth.denyAuthorization(id),
    done: onAnswered,
  });
  return (
    <div className="flex flex-wrap gap-3">
      <Form {...allow.form}>
        <Button {...allow.button} variant="primary">
          {allow.isBusy ? "One moment…" : "Allow"}
        </Button>
      </Form>
      <Form {...refuse.form}>
        <Button {...refuse.button}>Don’t allow</Button>
      </Form>
    </div>
  );
}

type ScopeListProps = { user: { email: string }; scope: string };

/** What an application may do and read, and what it never can. */
function ScopeList({ user, scope }: ScopeListProps) {
  const asked = scope.split(" ");
  const known: [scope: string, words: string][] = [
    ["profile", "the name and picture that your account was made with"],
    ["email", user.email ? `your email address, ${user.email}` : "your email address, if you add one"],
    ["phone", "your phone number, if your account has one"],
  ];
  return (
    <div className="grid gap-3">
      <div>
        <h2 className="font-semibold">It may</h2>
        <ul className="wrap-anywhere list-disc pl-5">
          <li>know that you have an account here, and which one it is</li>
          <li>see, add and remove your saved trades</li>
          {known
            .filter(([named]) => asked.includes(named))
            .map(([named, words]) => (
              <li key={named}>know {words}</li>
            ))}
        </ul>
      </div>
      <div>
        <h2 className="font-semibold">It may not</h2>
        <ul className="list-disc pl-5">
          <li>change your password, your email or anything else that opens your account</li>
          <li>write in the chat, rate traders, or change your username and picture</li>
        </ul>
      </div>
    </div>
  );
}

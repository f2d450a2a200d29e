import type { OAuthAuthorizationDetails } from "@supabase/supabase-js";
import { useState } from "react";
import { ProofDialog } from "#app/features/proof/proof-dialog.tsx";
import { SessionButton } from "#app/features/session/session-button.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { nameOf, placeOf } from "./application-words.ts";

/** The application's request, or why there is none. */
export default function Consent({ search }: { search: string }) {
  const [request] = useOwnRead((client) => readRequest(client, search));
  if (request === "reading") {
    return (
      <div role="status" aria-label="Loading the application’s request">
        <Skeleton className="h-40" />
      </div>
    );
  }
  if (request === "failed") return <ErrorState title="The request can’t be loaded right now" />;
  if (request.step === "leaving") return <p role="status">You allowed this before. Taking you back…</p>;
  if (request.step === "refused") return <Refusal fault={request.fault} />;
  return (
    <>
      <ProofDialog why="An application keeps its access, so please confirm that it’s you." />
      <Question details={request.details} />
    </>
  );
}

const SENTENCES: Record<Fault, string> = {
  over: "This request has expired, or it’s for another account. Go back to the application and start again.",
  answered:
    "This request was already answered. Go back to the application. If it doesn’t know you yet, start again there.",
  off: "Applications can’t get access here right now.",
  wrong:
    "The application sent you here with a request that we don’t understand, so it got no access. Please tell the people who run it.",
};

function Refusal({ fault }: { fault: Fault }) {
  return (
    <>
      <p role="alert">{SENTENCES[fault]}</p>
      <div>
        <LinkButton to="/">Go to the home page</LinkButton>
      </div>
    </>
  );
}

/** Why there is nothing to answer. */
type Fault = "over" | "answered" | "off" | "wrong";

type Request =
  | { step: "asked"; details: OAuthAuthorizationDetails }
  /** The user granted the same before: the browser is being redirected. */
  | { step: "leaving" }
  | { step: "refused"; fault: Fault };

const FAULTS: Record<string, Fault> = {
  oauth_authorization_not_found: "over",
  validation_failed: "answered",
  feature_disabled: "off",
};

/** Reads the application's request, by the query of the address to which it sent the browser. */
async function readRequest(client: SessionClient, search: string): Promise<Request | "failed"> {
  const name = new URLSearchParams(search).get("authorization_id");
  if (!name) return { step: "refused", fault: "wrong" };
  const { data, error } = await client.auth.oauth.getAuthorizationDetails(encodeURIComponent(name));
  if (error) {
    const fault = FAULTS[error.code ?? ""];
    return fault ? { step: "refused", fault } : "failed";
  }
  if ("authorization_id" in data) return { step: "asked", details: data };
  window.location.assign(data.redirect_url);
  return { step: "leaving" };
}

/** Who asks, for what, and where the answer goes: all as text, nothing is loaded from the application. */
function Question({ details }: { details: OAuthAuthorizationDetails }) {
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
  return (
    <div className="flex flex-wrap gap-3">
      <SessionButton
        variant="primary"
        busy="One moment…"
        send={(client) => client.auth.oauth.approveAuthorization(id).then(inOurWords)}
        done={onAnswered}
      >
        Allow
      </SessionButton>
      <SessionButton
        send={(client) => client.auth.oauth.denyAuthorization(id).then(inOurWords)}
        done={onAnswered}
      >
        Don’t allow
      </SessionButton>
    </div>
  );
}

type Sent = { error: { message: string; code?: string | undefined } | null };

/** Another tab may have answered first, or the user may have read for too long. */
function inOurWords<Answer extends Sent>(answer: Answer): Answer | Sent {
  const fault = FAULTS[answer.error?.code ?? ""];
  return fault ? { error: { message: SENTENCES[fault] } } : answer;
}

/** What an application may do and read, and what it never can. */
function ScopeList({ user, scope }: { user: { email: string }; scope: string }) {
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

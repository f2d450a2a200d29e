import type { OAuthAuthorizationDetails } from "@supabase/supabase-js";
import { ProofDialog } from "#app/features/proof/proof-dialog.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { Question } from "./question.tsx";

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

import type { OAuthAuthorizationDetails } from "@supabase/supabase-js";
import { useEffect, useState } from "react";
import { ProofDialog } from "#app/features/proof/proof-dialog.tsx";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { Question } from "./question.tsx";

/** The question of an application, or why there is none. */
export default function Consent({ search }: { search: string }) {
  const state = useRequest(search);
  if (state.step === "reading") {
    return (
      <div role="status" aria-label="Loading the application’s request">
        <Skeleton className="h-40" />
      </div>
    );
  }
  if (state.step === "leaving") return <p role="status">You allowed this before. Taking you back…</p>;
  if (state.step === "failed") return <Failure fault={state.fault} />;
  return (
    <>
      <ProofDialog why="An application keeps its access, so please confirm that it’s you." />
      <Question details={state.details} />
    </>
  );
}

const SENTENCES: Record<Exclude<Fault, "unreadable">, string> = {
  over: "This request has expired, or it’s for another account. Go back to the application and start again.",
  answered:
    "This request was already answered. Go back to the application. If it doesn’t know you yet, start again there.",
  off: "Applications can’t get access here right now.",
  wrong:
    "The application sent you here with a request that we don’t understand, so it got no access. Please tell the people who run it.",
};

function Failure({ fault }: { fault: Fault }) {
  if (fault === "unreadable") return <ErrorState title="The request can’t be loaded right now" />;
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
type Fault = "over" | "answered" | "off" | "wrong" | "unreadable";

type RequestState =
  | { step: "reading" }
  | { step: "asked"; details: OAuthAuthorizationDetails }
  /** The person allowed as much before: the browser is on its way. */
  | { step: "leaving" }
  | { step: "failed"; fault: Fault };

const FAULTS: Record<string, Fault> = {
  oauth_authorization_not_found: "over",
  validation_failed: "answered",
  feature_disabled: "off",
};

/** What an application asks for, by the query of the address that it sent the browser to. */
function useRequest(search: string): RequestState {
  const site = useSiteConfig();
  const [state, setState] = useState<RequestState>({ step: "reading" });
  const name = new URLSearchParams(search).get("authorization_id");
  useEffect(() => {
    let isGone = false;
    async function read(): Promise<RequestState> {
      if (!name) return { step: "failed", fault: "wrong" };
      const client = await openSession(site);
      const { data, error } = await client.auth.oauth.getAuthorizationDetails(encodeURIComponent(name));
      if (error) return { step: "failed", fault: FAULTS[error.code ?? ""] ?? "unreadable" };
      if ("authorization_id" in data) return { step: "asked", details: data };
      window.location.assign(data.redirect_url);
      return { step: "leaving" };
    }
    read()
      .catch((): RequestState => ({ step: "failed", fault: "unreadable" }))
      .then((next) => isGone || setState(next));
    return () => {
      isGone = true;
    };
  }, [site, name]);
  return state;
}

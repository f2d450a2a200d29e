import type { OAuthAuthorizationDetails } from "@supabase/supabase-js";
import { useEffect, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/** Why there is nothing to answer. */
export type Fault = "over" | "answered" | "off" | "wrong" | "unreadable";

export type RequestState =
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
export function useRequest(search: string): RequestState {
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

import type { OAuthGrant } from "@supabase/supabase-js";
import { useCallback, useEffect, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

export type ApplicationList = readonly OAuthGrant[] | "reading" | "failed";

/** The applications that act for the person, and how to read them anew. */
export function useApplications(): { applications: ApplicationList; readAgain: () => Promise<void> } {
  const site = useSiteConfig();
  const [applications, setApplications] = useState<ApplicationList>("reading");
  const readAgain = useCallback(async () => {
    try {
      const client = await openSession(site);
      const { data } = await client.auth.oauth.listGrants();
      setApplications(data ?? "failed");
    } catch {
      setApplications("failed");
    }
  }, [site]);
  useEffect(() => void readAgain(), [readAgain]);
  return { applications, readAgain };
}

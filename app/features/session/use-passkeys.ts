import type { PasskeyListItem } from "@supabase/supabase-js";
import { useCallback, useEffect, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/** `off`: the service has passkeys switched off. */
export type PasskeyList = readonly PasskeyListItem[] | "reading" | "failed" | "off";

/** The own passkeys, and how to read them anew; what was read stays in sight meanwhile. */
export function usePasskeys(): { passkeys: PasskeyList; readAgain: () => Promise<void> } {
  const site = useSiteConfig();
  const [passkeys, setPasskeys] = useState<PasskeyList>("reading");
  const readAgain = useCallback(async () => {
    try {
      const client = await openSession(site);
      const { data, error } = await client.auth.passkey.list();
      setPasskeys(data ?? (error?.code === "passkey_disabled" ? "off" : "failed"));
    } catch {
      setPasskeys("failed");
    }
  }, [site]);
  useEffect(() => void readAgain(), [readAgain]);
  return { passkeys, readAgain };
}

/**
 * Whether this browser can make and use passkeys here: it must know WebAuthn, and the page must have a name, which a bare
 * network address is not. Browsers only.
 */
export function supportsPasskeys(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(location.hostname);
}

import type { Factor, Session } from "@supabase/supabase-js";
import { useState } from "react";
import { useNavigate } from "react-router";
import { logOut } from "#app/features/session/log-out.ts";
import { listVerifiedFactors } from "#app/features/session/second-factor.ts";
import { supportsPasskeys } from "#app/features/session/supports-passkeys.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { AppFactorForm } from "./app-factor-form.tsx";
import { KeyFactorForm } from "./key-factor-form.tsx";
import { PhoneFactorForm } from "./phone-factor-form.tsx";

const FORMS: Record<string, typeof AppFactorForm> = {
  totp: AppFactorForm,
  phone: PhoneFactorForm,
  webauthn: KeyFactorForm,
};

/** The second half of a sign-in, for accounts that have a second factor; whoever has several may choose. */
export function SecondFactorForm({ session }: { session: Session }) {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const ways = listWays(session);
  const [chosen, choose] = useState(ways[0]);
  const Form = chosen && FORMS[chosen.factor_type];
  return (
    <div className="grid gap-5">
      {Form ? (
        <Form key={chosen.id} factor={chosen} />
      ) : (
        <p role="alert">This browser can’t use the second factor of your account. Please use another one.</p>
      )}
      <div className="grid justify-items-center gap-1">
        {ways
          .filter((way) => way !== chosen)
          .map((way) => (
            <Button key={way.id} variant="ghost" size="sm" onClick={() => choose(way)}>
              Use {nameOf(way)} instead
            </Button>
          ))}
        <Button variant="ghost" size="sm" onClick={() => logOut(site, () => navigate("/"))}>
          Not now: log out
        </Button>
      </div>
    </div>
  );
}

/** Any security key answers for all of them, so they are one way; it comes first, being the safest. */
function listWays(session: Session): Factor[] {
  const factors = listVerifiedFactors(session);
  const key = supportsPasskeys() && factors.find(({ factor_type }) => factor_type === "webauthn");
  const codes = factors.filter(({ factor_type }) => factor_type !== "webauthn");
  return [...(key ? [key] : []), ...codes];
}

function nameOf({ factor_type, friendly_name }: Factor): string {
  if (factor_type === "webauthn") return "a security key";
  if (factor_type === "phone") return "a text message";
  return friendly_name ? `“${friendly_name}”` : "an authenticator app";
}

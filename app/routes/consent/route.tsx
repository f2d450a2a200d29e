import { lazy, Suspense } from "react";
import { useLocation } from "react-router";
import { SignInGate } from "#app/features/session/sign-in-gate.tsx";
import { metaOf } from "#app/features/site/page-meta.ts";
import { Card } from "#app/ui/card.tsx";

// Only signed-in users are asked.
const Consent = lazy(() => import("./consent.tsx"));

export const meta = metaOf((site) => ({
  path: "/oauth/consent",
  title: "Give an Application Access",
  description: `An application asks to act for you at ${site.siteName}. You decide whether it may.`,
  keywords: ["application", "access", "account", site.siteName],
}));

/** Where an application sends users to authorize it; login required, and back here afterwards. */
export default function ConsentRoute() {
  const { pathname, search } = useLocation();
  return (
    <div className="page grid justify-items-center">
      <Card as="section" aria-labelledby="consent-title" className="grid w-full max-w-lg gap-6">
        <h1 id="consent-title" className="text-3xl">
          Give an Application Access
        </h1>
        <SignInGate notice="Please log in to answer the application" returnTo={pathname + search}>
          {() => (
            <Suspense>
              <Consent key={search} search={search} />
            </Suspense>
          )}
        </SignInGate>
      </Card>
    </div>
  );
}

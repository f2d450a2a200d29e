import { lazy, Suspense } from "react";
import { SignInGate } from "#app/features/session/sign-in-gate.tsx";
import { loadProviders } from "#app/features/sign-in/sign-in-provider.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { providersContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";

// For signed-in users only, so loaded when one is here.
const AccountCards = lazy(() => import("./account-cards.tsx"));

export function loader({ context }: Route.LoaderArgs) {
  return loadProviders(context.get(providersContext));
}

export const meta = metaOf((site) => ({
  path: "/account",
  title: "Your Account",
  description: `Your username, email, password, sessions and data at ${site.siteName}.`,
  keywords: ["account", "username", "password", "sessions", site.siteName],
}));

/** The user's account; login required. */
export default function AccountRoute({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page grid gap-6">
      <header className="prose">
        <h1>Your Account</h1>
        <p className="text-lg">What others see, how you sign in, and what we store.</p>
      </header>
      <SignInGate notice="Please log in to see your account">
        {({ user }) => (
          <Suspense>
            <AccountCards user={user} providers={loaderData.providers} />
          </Suspense>
        )}
      </SignInGate>
    </div>
  );
}

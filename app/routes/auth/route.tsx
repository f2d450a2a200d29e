import { lazy, Suspense, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { mayKeep } from "#app/features/browser-storage/kept.ts";
import { returnPath } from "#app/features/session/return-path.ts";
import { changeSession, type SessionState } from "#app/features/session/session-store.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { loadProviders, type SignInProvider } from "#app/features/sign-in/sign-in-provider.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { providersContext } from "#app/server-context.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Route } from "./+types/route.ts";
import { AuthPanel } from "./auth-panel.tsx";

const UndoAccountChange = lazy(() => import("./undo-account-change.tsx"));
// For the few who come here in the middle of a sign-in.
const Unfinished = lazy(() => import("./unfinished.tsx"));

export function loader({ context }: Route.LoaderArgs) {
  return loadProviders(context.get(providersContext));
}

export const meta = metaOf((site) => ({
  path: "/auth",
  title: "Sign In",
  description: `Sign in to ${site.siteName}, or create an account to save trades, rate traders and chat.`,
  keywords: ["sign in", "sign up", "account", site.siteName],
}));

/** Sign-in and sign-up. Signed-in users are sent on, unless something must be finished here (P25). */
export default function AuthRoute({ loaderData }: Route.ComponentProps) {
  const { session, isHalf, isRecovering, linkNotice, undoToken } = useSession();
  const navigate = useNavigate();
  const destination = returnPath(useLocation().state);
  const isDone = session !== null && !isHalf && !isRecovering && !linkNotice && !undoToken;
  useEffect(takeUndoToken, []);
  useEffect(() => {
    if (isDone) void navigate(destination, { replace: true });
  }, [isDone, destination, navigate]);
  useEffect(() => () => changeSession({ linkNotice: null, undoToken: null }), []);
  return (
    <div className="page grid justify-items-center">
      <Card as="section" aria-labelledby="auth-title" className="grid w-full max-w-md gap-6">
        <Step providers={loaderData.providers} />
      </Card>
    </div>
  );
}

type StepProps = { providers: readonly SignInProvider[] };

function Step({ providers }: StepProps) {
  const { isHalf, isRecovering, undoToken } = useSession();
  if (undoToken) {
    return (
      <Suspense>
        <UndoAccountChange token={undoToken} />
      </Suspense>
    );
  }
  if (!isHalf && !isRecovering) return <Welcome providers={providers} />;
  return (
    <Suspense>
      <Unfinished />
    </Suspense>
  );
}

/** Signing in works without storage, but not across a reload, which this notice explains. */
function StorageNotice() {
  const hydrated = useHydrated();
  if (!hydrated || mayKeep()) return null;
  return (
    <p role="status">
      This browser doesn’t let the site store anything (cookies and site data are blocked). You can sign in,
      but only until you close or reload this page. Allow site data to stay signed in.
    </p>
  );
}

function Welcome({ providers }: StepProps) {
  const { session, linkNotice } = useSession();
  return (
    <>
      <header className="grid gap-1">
        <h1 id="auth-title" className="text-3xl">
          Welcome Back
        </h1>
        <p className="text-muted">Sign in to access admin features</p>
      </header>
      <noscript>
        <p>Signing in needs JavaScript. Values, items and the calculator’s prices can be read without it.</p>
      </noscript>
      <StorageNotice />
      {linkNotice && <LinkNotice notice={linkNotice} isSignedIn={session !== null} />}
      {!session && <AuthPanel providers={providers} />}
    </>
  );
}

type LinkNoticeProps = { notice: NonNullable<SessionState["linkNotice"]>; isSignedIn: boolean };

/** A mailed link's message; signed-in users read it here before going home. */
function LinkNotice({ notice, isSignedIn }: LinkNoticeProps) {
  return (
    <div className="grid gap-4">
      <p
        role={notice.isProblem ? "alert" : "status"}
        className={`rounded-md border-l-4 bg-sunken px-4 py-3 ${notice.isProblem ? "border-danger" : "border-focus"}`}
      >
        {notice.text}
      </p>
      {isSignedIn && (
        <Button variant="primary" onClick={() => changeSession({ linkNotice: null })}>
          Continue
        </Button>
      )}
    </div>
  );
}

const UNDO_TOKEN = /^#way_back=([\w-]{43})$/;

/** Removes an email's undo token from the address, so that it stays in no history and no other page sees it. */
function takeUndoToken(): void {
  const token = UNDO_TOKEN.exec(window.location.hash)?.[1];
  if (!token) return;
  window.history.replaceState(window.history.state, "", window.location.pathname);
  changeSession({ undoToken: token });
}

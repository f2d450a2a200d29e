import type { Session } from "@supabase/supabase-js";
import { Fragment, type ReactNode, useEffect } from "react";
import { useNavigate } from "react-router";
import { useLateScroll } from "#app/features/site/use-late-scroll.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import type { ReturnState } from "./return-path.ts";
import { useSession } from "./use-session.ts";

type SignInGateProps = {
  /** The message for visitors, such as 'Please log in to use the chat'; none where the clauses specify none. */
  notice?: string;
  /** The page's own address, to return to after signing in. */
  returnTo?: string;
  /** Shown while the gate waits; skeletons by default. */
  waiting?: ReactNode;
  children: (session: Session) => ReactNode;
};

/**
 * Shows its children to signed-in users and redirects others to /auth with a notice. It waits for the stored session
 * before it decides (4.gates.02); an unfinished sign-in is finished there; and it is silent while Logout leads home
 * (P25). Another user gets new children: what was typed or read on the page is not theirs.
 */
export function SignInGate({ notice, returnTo, waiting = <GateWaiting />, children }: SignInGateProps) {
  const { status, session, isHalf, isLeaving } = useSession();
  const navigate = useNavigate();
  useLateScroll();
  const isRefused = status === "known" && (!session || isHalf) && !isLeaving;
  useEffect(() => {
    if (!isRefused) return;
    if (!isHalf && notice)
      showToast({ title: "Authentication Required", description: notice, variant: "destructive" });
    void navigate("/auth", { replace: true, state: returnTo ? ({ returnTo } satisfies ReturnState) : null });
  }, [isRefused, isHalf, notice, returnTo, navigate]);
  if (session && !isHalf) return <Fragment key={session.user.id}>{children(session)}</Fragment>;
  if (status === "failed") return <ErrorState title="Your session can't be loaded right now" />;
  return waiting;
}

/** Shown while a gate waits: skeletons or content that needs no session; the whole page without JavaScript. */
export function GateWaiting({ children }: { children?: ReactNode }) {
  return (
    <>
      <noscript>
        <p>This page is just for you and is put together in your browser, so it needs JavaScript.</p>
      </noscript>
      {children ?? (
        <div className="grid gap-4" aria-hidden="true">
          <Skeleton className="h-40" />
          <Skeleton className="h-40" />
        </div>
      )}
    </>
  );
}

import { type ReactNode, useEffect } from "react";
import { useNavigate } from "react-router";
import { GateWaiting } from "#app/features/session/sign-in-gate.tsx";
import { useSession } from "#app/features/session/use-session.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { useRoleWatch } from "./use-role-watch.ts";

/**
 * Lets admins pass and sends other signed-in people home with a notice (8.error.15). It waits until the database has
 * answered, and takes everything away as soon as it answers otherwise; that nothing can be done without the role is
 * the database's own rule.
 */
export function AdminGate({ userId, children }: { userId: string; children: ReactNode }) {
  const { isAdmin, isLeaving } = useSession();
  const isUnanswered = useRoleWatch(userId);
  const navigate = useNavigate();
  const isRefused = isAdmin === false && !isLeaving;
  useEffect(() => {
    if (!isRefused) return;
    showToast({
      title: "Access Denied",
      description: "You don't have admin permissions",
      variant: "destructive",
    });
    void navigate("/", { replace: true });
  }, [isRefused, navigate]);
  if (isAdmin) return children;
  if (isAdmin === null && isUnanswered) return <ErrorState title="Your role can't be read right now" />;
  return <GateWaiting />;
}

import { type ReactNode, useEffect } from "react";
import { useNavigate } from "react-router";
import { LiveQueries } from "#app/features/live/live-queries.tsx";
import { useRead } from "#app/features/live/use-read.ts";
import { askForRoles } from "#app/features/session/ask-for-roles.ts";
import { GateWaiting } from "#app/features/session/sign-in-gate.tsx";
import { useSession } from "#app/features/session/use-session.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { AdminTabs } from "./admin-tabs.tsx";

/** What only admins see, behind the gate. */
export default function AdminArea({ userId }: { userId: string }) {
  return (
    <LiveQueries>
      <AdminGate userId={userId}>
        <AdminTabs />
      </AdminGate>
    </LiveQueries>
  );
}

/** How long someone who lost the role may go on looking, in milliseconds; each write is refused at once anyway. */
const ASK_EVERY = 10_000;

/**
 * Admits admins, editors and moderators and sends other signed-in users home with a notice (8.error.15). It waits for
 * the database's answer, and unmounts everything as soon as the answer changes; the database itself enforces that
 * nothing can be done without the role.
 */
function AdminGate({ userId, children }: { userId: string; children: ReactNode }) {
  const { isModerator, isEditor, isLeaving } = useSession();
  const role = useRead(["user_roles", userId], (client) => askForRoles(client, userId), {
    refetchInterval: ASK_EVERY,
  });
  const navigate = useNavigate();
  const isRefused = isModerator === false && isEditor === false && !isLeaving;
  useEffect(() => {
    if (!isRefused) return;
    showToast({
      title: "Access Denied",
      description: "You don't have admin permissions",
      variant: "destructive",
    });
    void navigate("/", { replace: true });
  }, [isRefused, navigate]);
  if (isModerator || isEditor) return children;
  if (isModerator === null && (role.isError || role.data === false))
    return <ErrorState title="Your role can't be checked right now" />;
  return <GateWaiting />;
}

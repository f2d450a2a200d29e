import { DateText } from "#app/features/items/date-text.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { Unread } from "../unread.tsx";
import type { OwnSession, SessionList as Sessions } from "./use-own-sessions.ts";

type SessionListProps = { sessions: Sessions; readAgain(): Promise<void> };

/** Where this person is signed in: each device in plain words, when it was last active, and a way to end it. */
export function SessionList({ sessions, readAgain }: SessionListProps) {
  if (sessions === "absent") {
    return <p className="text-muted">This site’s backend doesn’t list where you’re signed in.</p>;
  }
  if (sessions === "reading" || sessions === "failed")
    return <Unread what="sessions" state={sessions} readAgain={readAgain} />;
  return (
    <ul aria-label="Where you’re signed in" className="grid">
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} onEnded={readAgain} />
      ))}
    </ul>
  );
}

function SessionRow({ session, onEnded }: { session: OwnSession; onEnded(): Promise<void> }) {
  const { id, device, activeAt, isCurrent } = session;
  const { form, button, isBusy } = useSessionForm({
    send: (client) => client.rpc("end_own_session", { session_id: id }),
    async done() {
      await onEnded();
      showToast({ title: "Signed out", description: `${device} is no longer signed in.` });
    },
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2.5">
      <div className="min-w-0">
        <p className="font-semibold">{device}</p>
        <p className="text-muted text-sm">
          Last active <DateText date={activeAt} />
        </p>
      </div>
      {isCurrent ? (
        <Badge>This device</Badge>
      ) : (
        <Form {...form}>
          <Button {...button} variant="ghost" size="sm">
            {isBusy ? "Signing out…" : "Sign out"}
            <span className="sr-only"> {device}</span>
          </Button>
        </Form>
      )}
    </li>
  );
}

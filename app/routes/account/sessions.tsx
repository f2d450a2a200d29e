import { useNavigate } from "react-router";
import { DateText } from "#app/features/items/date-text.tsx";
import { logOut } from "#app/features/session/log-out.ts";
import { SessionButton } from "#app/features/session/session-button.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { nameDevice } from "#domain/people/device-name.ts";
import { OwnRow, Unread } from "./own-list.tsx";

/** Where the user is signed in, and signing out: on one device, here, on all others, or everywhere. */
export function Sessions() {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const [sessions, readAgain] = useOwnRead(readSessions);
  const leave = (scope: "local" | "global") => logOut(site, () => navigate("/"), scope);
  return (
    <>
      <SessionList sessions={sessions} readAgain={readAgain} />
      <p className="text-muted">
        Lost a device, or used somebody else’s? Sign out there.{" "}
        {/* A hosted backend honors a token until it expires. */}
        {site.supabaseUrl ? "It can take up to an hour to take effect." : "It takes effect right away."}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => leave("local")}>Log out here</Button>
        <SessionButton
          send={(client) => client.auth.signOut({ scope: "others" })}
          done={async () => {
            await readAgain();
            showToast({ title: "Logged out everywhere else" });
          }}
        >
          Log out everywhere else
        </SessionButton>
        <Button onClick={() => leave("global")}>Log out everywhere</Button>
      </div>
    </>
  );
}

type OwnSession = { id: string; device: string; activeAt: string; isCurrent: boolean };
type SessionListProps = {
  sessions: OwnSession[] | "reading" | "failed" | "absent";
  readAgain(): Promise<unknown>;
};

/** The user's sessions: each device in plain words, when it was last active, and a button to end it. */
function SessionList({ sessions, readAgain }: SessionListProps) {
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

function SessionRow({ session, onEnded }: { session: OwnSession; onEnded(): Promise<unknown> }) {
  const { id, device, activeAt, isCurrent } = session;
  const { form, button, isBusy } = useSessionForm({
    send: (client) => client.rpc("end_own_session", { session_id: id }),
    async done() {
      await onEnded();
      showToast({ title: "Signed out", description: `${device} is no longer signed in.` });
    },
  });
  const end = (
    <Form {...form}>
      <Button {...button} variant="ghost" size="sm">
        {isBusy ? "Signing out…" : "Sign out"}
        <span className="sr-only"> {device}</span>
      </Button>
    </Form>
  );
  return (
    <OwnRow name={device} act={isCurrent ? <Badge>This device</Badge> : end}>
      Last active <DateText date={activeAt} />
    </OwnRow>
  );
}

/** The code for a function that does not exist. */
const UNKNOWN_FUNCTION = "PGRST202";

/** The open sessions, this one first, then the latest; `absent` if the backend has no list, such as a hosted one. */
async function readSessions(client: SessionClient) {
  const { data, error } = await client.rpc("list_own_sessions");
  if (error) return error.code === UNKNOWN_FUNCTION ? "absent" : "failed";
  return data
    .filter(({ is_application }) => !is_application)
    .map(({ id, user_agent, created_at, refreshed_at, is_current }) => ({
      id,
      device: nameDevice(user_agent),
      activeAt: refreshed_at ?? created_at,
      isCurrent: is_current,
    }))
    .sort(
      (one, other) =>
        Number(other.isCurrent) - Number(one.isCurrent) || (one.activeAt < other.activeAt ? 1 : -1),
    );
}

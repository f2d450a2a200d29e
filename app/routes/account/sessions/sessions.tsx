import { useNavigate } from "react-router";
import { logOut } from "#app/features/session/log-out.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { SessionList } from "./session-list.tsx";
import { useOwnSessions } from "./use-own-sessions.ts";

/** Where one is signed in, and signing out: of one place, here, in all others, or everywhere. */
export function Sessions() {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const { sessions, readAgain } = useOwnSessions();
  const others = useSessionForm({
    send: (client) => client.auth.signOut({ scope: "others" }),
    async done() {
      await readAgain();
      showToast({ title: "Logged out everywhere else" });
    },
  });
  const leave = (scope: "local" | "global") => logOut(site, () => navigate("/"), scope);
  return (
    <>
      <SessionList sessions={sessions} readAgain={readAgain} />
      <p className="text-muted">
        Lost a device, or used somebody else’s? Sign out there.{" "}
        {/* A hosted backend honors a token until its time is up. */}
        {site.supabaseUrl ? "It can take up to an hour to take effect." : "It takes effect right away."}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => leave("local")}>Log out here</Button>
        <Form {...others.form}>
          <Button {...others.button}>Log out everywhere else</Button>
        </Form>
        <Button onClick={() => leave("global")}>Log out everywhere</Button>
      </div>
    </>
  );
}

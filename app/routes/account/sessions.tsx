import { useNavigate } from "react-router";
import { logOut } from "#app/features/session/log-out.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** Signing out here, in all other places, or everywhere. */
export function Sessions() {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const others = useSessionForm({
    send: (client) => client.auth.signOut({ scope: "others" }),
    done: () => showToast({ title: "Logged out in all other places" }),
  });
  const leave = (scope: "local" | "global") => logOut(site, () => navigate("/"), scope);
  return (
    <>
      <p className="text-muted">
        Used somebody else’s device, or lost one? End your sessions there; it takes effect within the hour.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => leave("local")}>Log out here</Button>
        <Form {...others.form}>
          <Button {...others.button}>Log out in other places</Button>
        </Form>
        <Button onClick={() => leave("global")}>Log out everywhere</Button>
      </div>
    </>
  );
}

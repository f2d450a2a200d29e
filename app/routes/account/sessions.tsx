import { useNavigate } from "react-router";
import { logOut } from "#app/features/session/log-out.ts";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";

/** Signing out here, in all other places, or everywhere. */
export function Sessions() {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const others = useSubmit({
    read: () => ({ input: null }),
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
        <form {...others.form}>
          <Button {...others.button}>Log out in other places</Button>
        </form>
        <Button onClick={() => leave("global")}>Log out everywhere</Button>
      </div>
    </>
  );
}

import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import type { NewApp } from "./enroll-app.tsx";
import { freeName } from "./free-name.ts";

/** Asks for a new key for an authenticator app. */
export function AddApp({ onStart }: { onStart: (app: NewApp) => void }) {
  const site = useSiteConfig();
  const { form, button } = useSessionForm({
    async send(client) {
      const listed = await client.auth.mfa.listFactors();
      if (listed.error) return listed;
      const taken = listed.data.all.map(({ friendly_name }) => friendly_name);
      const friendlyName = freeName("Authenticator app", taken);
      return client.auth.mfa.enroll({ factorType: "totp", friendlyName, issuer: site.siteName });
    },
    done({ data }) {
      if (data && "totp" in data && "id" in data) {
        onStart({ id: data.id, key: data.totp.secret, picture: data.totp.qr_code });
      }
    },
  });
  return (
    <Form {...form}>
      <Button {...button}>Set up an authenticator app</Button>
    </Form>
  );
}

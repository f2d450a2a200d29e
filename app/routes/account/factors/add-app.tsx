import { useSubmit } from "#app/features/session/use-submit.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import type { NewApp } from "./enroll-app.tsx";
import { freeName } from "./free-name.ts";

/** Asks for a new key for an authenticator app. */
export function AddApp({ onStart }: { onStart: (app: NewApp) => void }) {
  const site = useSiteConfig();
  const { form, button } = useSubmit({
    read: () => ({ input: site.siteName }),
    async send(client, issuer) {
      const listed = await client.auth.mfa.listFactors();
      if (listed.error) return listed;
      const taken = listed.data.all.map(({ friendly_name }) => friendly_name);
      const friendlyName = freeName("Authenticator app", taken);
      return client.auth.mfa.enroll({ factorType: "totp", friendlyName, issuer });
    },
    done({ data }) {
      if (data && "totp" in data && "id" in data) {
        onStart({ id: data.id, key: data.totp.secret, picture: data.totp.qr_code });
      }
    },
  });
  return (
    <form {...form}>
      <Button {...button}>Set up an authenticator app</Button>
    </form>
  );
}

import type { Factor } from "@supabase/supabase-js";
import { useState } from "react";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { EnrollFactor, type NewFactor } from "./enroll-factor.tsx";

/** An authenticator app beside the password: setting it up, and taking it away. */
export function SecondFactor({ factors }: { factors: readonly Factor[] }) {
  const [enrolling, setEnrolling] = useState<NewFactor | null>(null);
  const verified = factors.find(({ status, factor_type }) => status === "verified" && factor_type === "totp");
  if (verified) return <RemoveFactor factorId={verified.id} />;
  if (enrolling) return <EnrollFactor factor={enrolling} onEnd={() => setEnrolling(null)} />;
  return <StartFactor onStart={setEnrolling} />;
}

function StartFactor({ onStart }: { onStart: (factor: NewFactor) => void }) {
  const site = useSiteConfig();
  const { form, button } = useSubmit({
    read: () => ({ input: `App ${new Date().toISOString()}` }),
    send: (client, friendlyName) =>
      client.auth.mfa.enroll({ factorType: "totp", friendlyName, issuer: site.siteName }),
    done: ({ data }) => data && onStart({ id: data.id, key: data.totp.secret, picture: data.totp.qr_code }),
  });
  return (
    <form {...form} className="grid gap-4">
      <p className="text-muted">
        With an authenticator app on your phone, a stolen password alone opens nothing: signing in also asks
        for a code from the app.
      </p>
      <Button {...button} className="justify-self-start">
        Set up an authenticator app
      </Button>
    </form>
  );
}

function RemoveFactor({ factorId }: { factorId: string }) {
  const { form, button } = useSubmit({
    read: () => ({ input: factorId }),
    async send(client, id) {
      const answer = await client.auth.mfa.unenroll({ factorId: id });
      // The session goes on without it: its next token and its user say so.
      return answer.error ? answer : await client.auth.refreshSession();
    },
    done: () => showToast({ title: "Second factor removed" }),
  });
  return (
    <form {...form} className="grid gap-4">
      <p>
        <strong>On.</strong> Signing in asks for a code from your authenticator app.
      </p>
      <p className="text-muted">
        Before you change your phone, remove it here and set it up again there. Whoever loses the app can only
        be helped by the people who run this site.
      </p>
      <Button {...button} className="justify-self-start">
        Remove the authenticator app
      </Button>
    </form>
  );
}

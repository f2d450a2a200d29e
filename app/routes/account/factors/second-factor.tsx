import type { Factor } from "@supabase/supabase-js";
import { useState } from "react";
import { DateText } from "#app/features/items/date-text.tsx";
import { SessionButton } from "#app/features/session/session-button.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { CodeField, codeSchema } from "#app/features/sign-in/code-field.tsx";
import { withReadableError } from "#app/features/sign-in/key-failure.ts";
import { KeyIcon } from "#app/features/sign-in/key-icon.tsx";
import { supportsPasskeys } from "#app/features/sign-in/supports-passkeys.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { OwnRow } from "#app/routes/account/own-list.tsx";
import { Removal } from "#app/routes/account/removal.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { freeName } from "./free-name.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** What a sign-in requires besides the password: any number of authenticator apps and security keys. */
export function SecondFactor({ factors }: { factors: readonly Factor[] }) {
  const [enrolling, setEnrolling] = useState<NewApp | null>(null);
  const verified = factors.filter(({ status }) => status === "verified");
  if (enrolling) return <EnrollApp app={enrolling} onEnd={() => setEnrolling(null)} />;
  return (
    <>
      {verified.length === 0 ? (
        <p className="text-muted">
          With a second factor, a stolen password isn’t enough: signing in also takes a code from an app on
          your phone, or a security key.
        </p>
      ) : (
        <p>
          <strong>On.</strong> Signing in asks for {verified.length === 1 ? "this" : "one of these"}.
        </p>
      )}
      {verified.length > 0 && (
        <ul aria-label="Second factors" className="grid">
          {verified.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isLast={verified.length === 1} />
          ))}
        </ul>
      )}
      {verified.length > 0 && <Advice count={verified.length} />}
      {verified.length > 0 && <RecoveryCodes />}
      <div className="flex flex-wrap gap-3">
        <AddApp onStart={setEnrolling} />
        {supportsPasskeys() && <AddKey />}
      </div>
    </>
  );
}

/** Recommends another factor, which is quicker than a recovery code. */
function Advice({ count }: { count: number }) {
  if (count > 1) {
    return (
      <p className="text-muted text-sm">
        If you lose one of them, sign in with another one, and remove the lost one here.
      </p>
    );
  }
  return (
    <p className="rounded-md border-focus border-l-4 bg-sunken px-4 py-3 text-sm">
      <strong>Add a second one and keep it somewhere else.</strong> If you lose your only one, you’ll need a
      recovery code to get back in. Before you switch phones, add the new one here.
    </p>
  );
}

/** Requests a new key for an authenticator app. */
function AddApp({ onStart }: { onStart: (app: NewApp) => void }) {
  const { siteName: issuer } = useSiteConfig();
  return (
    <SessionButton
      send={async (client) => {
        const listed = await client.auth.mfa.listFactors();
        if (listed.error) return listed;
        const taken = listed.data.all.map(({ friendly_name }) => friendly_name);
        const friendlyName = freeName("Authenticator app", taken);
        return client.auth.mfa.enroll({ factorType: "totp", friendlyName, issuer });
      }}
      done={({ data }) => {
        if (data && "totp" in data && "id" in data) {
          onStart({ id: data.id, key: data.totp.secret, picture: data.totp.qr_code });
        }
      }}
    >
      Set up an authenticator app
    </SessionButton>
  );
}

/** Registers a security key with the browser; active at once. */
function AddKey() {
  return (
    <SessionButton
      icon={<KeyIcon />}
      busy="Waiting for your key…"
      send={async (client) => withReadableError(await register(client, "Security key"))}
      done={() =>
        showToast({ title: "Security key added", description: "You’ll be asked for it when you sign in." })
      }
    >
      Add a security key
    </SessionButton>
  );
}

async function register(client: SessionClient, name: string) {
  const { mfa } = client.auth;
  const listed = await mfa.listFactors();
  if (listed.error) return listed;
  const { all } = listed.data;
  // Left over from an earlier attempt, when the browser's dialog was closed.
  const left = all.filter(({ factor_type, status }) => factor_type === "webauthn" && status === "unverified");
  for (const { id } of left) await mfa.unenroll({ factorId: id });
  const taken = all.filter((factor) => !left.includes(factor)).map(({ friendly_name }) => friendly_name);
  return mfa.webauthn.register({ friendlyName: freeName(name, taken) });
}

const TYPES: Record<string, string> = {
  totp: "Authenticator app",
  phone: "Text messages",
  webauthn: "Security key",
};

/** An active factor, and its removal. */
function FactorRow({ factor, isLast }: { factor: Factor; isLast: boolean }) {
  const type = TYPES[factor.factor_type] ?? factor.factor_type;
  const name = factor.friendly_name || type;
  const removal = (
    <Removal
      name={name}
      remove={(client) => removeFactor(client, factor.id)}
      onRemoved={() => showToast({ title: "Second factor removed" })}
    >
      {isLast
        ? "This is your only second factor. Without it, your password alone is enough to sign in."
        : "It will no longer work for your account. Your other second factors stay."}
    </Removal>
  );
  return (
    <OwnRow name={name} act={removal}>
      {name.startsWith(type) ? "Added" : `${type}, added`} <DateText date={factor.created_at} />
    </OwnRow>
  );
}

/** The session continues without it: its next token and user object reflect that. */
async function removeFactor(client: SessionClient, factorId: string) {
  const answer = await client.auth.mfa.unenroll({ factorId });
  return answer.error ? answer : await client.auth.refreshSession();
}

/** A factor that becomes active with its first code: its key as text and as a QR code. */
type NewApp = { id: string; key: string; picture: string };

/** Shows the key for an authenticator app, and asks for its first code. */
function EnrollApp({ app, onEnd }: { app: NewApp; onEnd: () => void }) {
  const { form, button } = useSessionForm({
    schema: codeSchema,
    send: (client, { code }) => client.auth.mfa.challengeAndVerify({ factorId: app.id, code }),
    done() {
      showToast({
        title: "Second factor is on",
        description: "You’ll be asked for a code when you sign in.",
      });
      onEnd();
    },
  });
  return (
    <div className="grid gap-4">
      <p>Scan this with your authenticator app, then enter the code it shows.</p>
      <img
        src={app.picture}
        alt="QR code with the key below"
        width={192}
        height={192}
        className="rounded-md bg-white p-2"
      />
      <p className="text-sm">
        Can’t scan it? Enter this key instead: <code className="break-all font-semibold">{app.key}</code>
      </p>
      <p className="text-muted text-sm">
        Keep the key in a safe place. You can use it to set up the app again if you lose your phone.
      </p>
      <Form {...form} className="grid gap-4">
        <CodeField />
        <Button {...button} variant="primary" className="justify-self-start">
          Turn it on
        </Button>
      </Form>
      <SessionButton
        variant="ghost"
        size="sm"
        send={(client) => client.auth.mfa.unenroll({ factorId: app.id })}
        done={onEnd}
      >
        Cancel
      </SessionButton>
    </div>
  );
}

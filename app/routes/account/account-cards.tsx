import type { User } from "@supabase/supabase-js";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { useNavigate } from "react-router";
import { LiveQueries } from "#app/features/live/live-queries.tsx";
import { useRead } from "#app/features/live/use-read.ts";
import { readOwnProfile } from "#app/features/profile/profile-queries.ts";
import { saveFile } from "#app/features/profile/save-file.ts";
import { ProofDialog } from "#app/features/proof/proof-dialog.tsx";
import { linkedOf } from "#app/features/session/linked-identities.ts";
import { logOut } from "#app/features/session/log-out.ts";
import type { SignInProvider } from "#app/features/session/sign-in-provider.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { ThemeSwitch } from "#app/features/theme/theme-switch.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { Applications } from "./applications/applications.tsx";
import { AvatarForm } from "./avatar-form.tsx";
import { EmailForm } from "./email-form.tsx";
import { SecondFactor } from "./factors/second-factor.tsx";
import { LinkedAccounts } from "./linked-accounts.tsx";
import { ListedSwitch } from "./listed-switch.tsx";
import { collectOwnData } from "./own-data.ts";
import { Passkeys } from "./passkeys/passkeys.tsx";
import { PasswordForm } from "./password-form.tsx";
import { UsernameForm } from "./username-form.tsx";

type AccountCardsProps = { user: User; providers: readonly SignInProvider[] };

/** One card for each thing that a person can do with the account. */
export function AccountCards({ user, providers }: AccountCardsProps) {
  const email = user.email ?? "";
  const { letsApplicationsIn } = useSiteConfig();
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <ProofDialog providers={providers} />
      <div className="grid gap-6">
        <Section title="Profile">
          <LiveQueries key={user.id}>
            <Profile userId={user.id} />
          </LiveQueries>
        </Section>
        <Section title="Email">
          <EmailForm email={email} />
        </Section>
        <Section title="Password">
          <PasswordForm email={email} />
        </Section>
        <Section title="Passkeys">
          <Passkeys />
        </Section>
        {(providers.length > 0 || linkedOf(user).length > 0) && (
          <Section title="Linked accounts">
            <LinkedAccounts user={user} providers={providers} />
          </Section>
        )}
      </div>
      <div className="grid gap-6">
        <Section title="Second factor">
          <SecondFactor factors={user.factors ?? []} />
        </Section>
        <Section title="Sessions">
          <Sessions />
        </Section>
        {letsApplicationsIn && (
          <Section title="Applications">
            <Applications />
          </Section>
        )}
        <Section title="Appearance">
          <ThemeSwitch />
        </Section>
        <Section title="Your data">
          <DownloadForm />
        </Section>
        <Section title="Leaving">
          <DeleteAccount />
        </Section>
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className="grid gap-4">
      <CardTitle id={id}>{title}</CardTitle>
      {children}
    </Card>
  );
}

function Profile({ userId }: { userId: string }) {
  const { data: profile, isPending } = useRead(["profiles"], (client) => readOwnProfile(client, userId));
  if (isPending) return <p className="text-muted">Reading your profile …</p>;
  if (!profile) return <p role="alert">Your profile can't be read right now. Please reload the page.</p>;
  return (
    <>
      <AvatarForm userId={userId} username={profile.username} avatarUrl={profile.avatar_url} />
      <UsernameForm userId={userId} username={profile.username} />
      <ListedSwitch userId={userId} listed={profile.listed} />
    </>
  );
}

// Few ever need it.
const DeleteAccountForm = lazy(async () => ({
  default: (await import("./delete-account-form.tsx")).DeleteAccountForm,
}));

/** The way out: what goes, and a dialog that asks once more. */
function DeleteAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className="text-muted">
        Deleting your account removes your profile, picture, saved trades, ratings, chat messages, mutes and
        reports for good. Nobody can bring them back.
      </p>
      <Button variant="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Delete your account?">
        <Suspense fallback={<p className="text-muted">One moment …</p>}>
          <DeleteAccountForm onCancel={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}

/** Everything that is stored about the person, as one JSON file, put together in the browser. */
function DownloadForm() {
  const { form, button, isBusy } = useSessionForm({
    send: async (client) => ({ data: await collectOwnData(client), error: null }),
    done: ({ data }) => saveFile("my-data.json", JSON.stringify(data, null, 2), "application/json"),
  });
  return (
    <Form {...form} className="grid gap-4">
      <p className="text-muted">
        Your account, sign-ins, profile, picture, saved trades, ratings, chat messages, mutes and reports, in
        one file.
      </p>
      <Button {...button} className="justify-self-start">
        {isBusy ? "Collecting…" : "Download my data"}
      </Button>
    </Form>
  );
}

/** Signing out here, in all other places, or everywhere. */
function Sessions() {
  const site = useSiteConfig();
  const navigate = useNavigate();
  const others = useSessionForm({
    send: (client) => client.auth.signOut({ scope: "others" }),
    done: () => showToast({ title: "Logged out everywhere else" }),
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
          <Button {...others.button}>Log out everywhere else</Button>
        </Form>
        <Button onClick={() => leave("global")}>Log out everywhere</Button>
      </div>
    </>
  );
}

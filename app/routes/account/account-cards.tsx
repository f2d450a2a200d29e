import type { User } from "@supabase/supabase-js";
import { lazy, type ReactNode, Suspense, useEffect, useReducer, useRef, useState } from "react";
import { AgeDialog } from "#app/features/age/age-dialog.tsx";
import { LiveQueries } from "#app/features/live/live-queries.tsx";
import { useRead } from "#app/features/live/use-read.ts";
import { ForcedName } from "#app/features/profile/forced-name.tsx";
import { readOwnProfile } from "#app/features/profile/profile-queries.ts";
import { saveFile } from "#app/features/profile/save-file.ts";
import { ProofDialog } from "#app/features/proof/proof-dialog.tsx";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { linkedOf } from "#app/features/sign-in/linked-identities.ts";
import type { SignInProvider } from "#app/features/sign-in/sign-in-provider.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { ThemeSwitch } from "#app/features/theme/theme-switch.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Disclosure } from "#app/ui/disclosure.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import { Applications } from "./applications.tsx";
import { AvatarForm } from "./avatar-form.tsx";
import { EmailForm } from "./email-form.tsx";
import { SecondFactor } from "./factors/second-factor.tsx";
import { LinkedAccounts } from "./linked-accounts.tsx";
import { ListedSwitch } from "./listed-switch.tsx";
import { OwnReports } from "./notices/own-reports.tsx";
import { OwnSanctions } from "./notices/own-sanctions.tsx";
import { CONTENTS, collectOwnData } from "./own-data.ts";
import { Passkeys } from "./passkeys/passkeys.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Sessions } from "./sessions.tsx";
import { UsernameForm } from "./username-form.tsx";

type AccountCardsProps = { user: User; providers: readonly SignInProvider[] };

/** One card per action on the account. */
export default function AccountCards({ user, providers }: AccountCardsProps) {
  const email = user.email ?? "";
  const { letsApplicationsIn } = useSiteConfig();
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      <ProofDialog providers={providers} />
      <AgeDialog />
      <div className="grid grid-cols-1 gap-6">
        <SectionCard title="Profile" className="grid gap-4">
          <LiveQueries>
            <ForcedName userId={user.id}>
              <Profile userId={user.id} />
            </ForcedName>
          </LiveQueries>
        </SectionCard>
        <LiveQueries>
          <SectionCard title="Notices" className="grid gap-4">
            <OwnSanctions userId={user.id} />
          </SectionCard>
          <SectionCard title="Your reports" className="grid gap-4">
            <OwnReports />
          </SectionCard>
        </LiveQueries>
        <SectionCard title="Email" className="grid gap-4">
          <EmailForm email={email} />
        </SectionCard>
        <SectionCard title="Password" className="grid gap-4">
          <PasswordForm email={email} />
        </SectionCard>
        <OwnCard title="Passkeys">
          <Passkeys />
        </OwnCard>
        {(providers.length > 0 || linkedOf(user).length > 0) && (
          <OwnCard title="Linked accounts">
            <LinkedAccounts user={user} providers={providers} />
          </OwnCard>
        )}
      </div>
      <div className="grid grid-cols-1 gap-6">
        <OwnCard title="Second factor">
          <SecondFactor factors={user.factors ?? []} />
        </OwnCard>
        <OwnCard title="Sessions">
          <Sessions />
        </OwnCard>
        {letsApplicationsIn && (
          <OwnCard title="Applications">
            <Applications />
          </OwnCard>
        )}
        <SectionCard title="Appearance" className="grid gap-4">
          <ThemeSwitch />
        </SectionCard>
        <SectionCard title="Your data" className="grid gap-4">
          <DownloadForm />
        </SectionCard>
        <SectionCard title="Delete account" className="grid gap-4">
          <DeleteAccount />
        </SectionCard>
      </div>
    </div>
  );
}

type OwnCardProps = { title: string; children: ReactNode };

/** A card that takes the focus when what had it is gone, such as a form whose place something else took. */
function OwnCard({ title, children }: OwnCardProps) {
  const [changes, note] = useReducer((count: number) => count + 1, 0);
  const { ref, ...caught } = useFocusFallback(changes);
  useEffect(() => {
    const watcher = new MutationObserver(note);
    if (ref.current) watcher.observe(ref.current, { childList: true, subtree: true });
    return () => watcher.disconnect();
  }, [ref]);
  return (
    <SectionCard title={title} className="grid gap-4">
      <div ref={ref} {...caught} className="grid gap-4">
        {children}
      </div>
    </SectionCard>
  );
}

function Profile({ userId }: { userId: string }) {
  const { data: profile, isPending } = useRead(["profiles"], (client) => readOwnProfile(client, userId));
  if (isPending) return <p className="text-muted">Loading your profile…</p>;
  if (!profile) return <p role="alert">Your profile can't be loaded right now. Please reload the page.</p>;
  return (
    <>
      <AvatarForm userId={userId} username={profile.username} avatarUrl={profile.avatar_url} />
      <UsernameForm userId={userId} username={profile.username} />
      <ListedSwitch userId={userId} listed={profile.listed} />
    </>
  );
}

// Rarely needed.
const DeleteAccountForm = lazy(() => import("./delete-account-form.tsx"));

/** Deletes the account: says what is deleted, and confirms in a dialog. */
function DeleteAccount() {
  const [isOpen, setOpen] = useState(false);
  const wasUnanswered = useRef(false);
  return (
    <>
      <p className="text-muted">
        Deleting your account removes your profile, picture, saved trades, ratings, chat messages, mutes and
        reports for good. This can’t be undone.
      </p>
      <Button variant="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Delete your account?">
        <Suspense fallback={<p className="text-muted">One moment…</p>}>
          <DeleteAccountForm wasUnanswered={wasUnanswered} onCancel={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}

/** Everything stored about the user, as one JSON file assembled in the browser. */
function DownloadForm() {
  const config = useSiteConfig();
  const { form, button, isBusy } = useSessionForm({
    send: async (client) => ({ data: await collectOwnData(client, config), error: null }),
    done: ({ data }) => saveFile("my-data.json", JSON.stringify(data, null, 2), "application/json"),
  });
  return (
    <Form {...form} className="grid gap-4">
      <p className="text-muted">Everything that we store about you, in one file.</p>
      <Disclosure question="What’s in it?">
        <dl className="grid gap-2">
          {Object.entries(CONTENTS).map(([name, parts]) => (
            <div key={name}>
              <dt className="font-semibold text-ink">{name}</dt>
              <dd>{Object.values(parts).join(" ")}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
      <Button {...button} className="justify-self-start">
        {isBusy ? "Collecting…" : "Download my data"}
      </Button>
    </Form>
  );
}

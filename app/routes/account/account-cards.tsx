import type { User } from "@supabase/supabase-js";
import { type ReactNode, useId } from "react";
import { LiveQueries } from "#app/features/live/live-queries.tsx";
import { useRead } from "#app/features/live/use-read.ts";
import { readOwnProfile } from "#app/features/profile/profile-queries.ts";
import { ThemeSwitch } from "#app/features/theme/theme-switch.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { AvatarForm } from "./avatar-form.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { DownloadForm } from "./download-form.tsx";
import { EmailForm } from "./email-form.tsx";
import { SecondFactor } from "./factors/second-factor.tsx";
import { ListedSwitch } from "./listed-switch.tsx";
import { Passkeys } from "./passkeys/passkeys.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProofDialog } from "./proof-dialog.tsx";
import { Sessions } from "./sessions.tsx";
import { UsernameForm } from "./username-form.tsx";

/** One card for each thing that a person can do with the account. */
export function AccountCards({ user }: { user: User }) {
  const email = user.email ?? "";
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <ProofDialog />
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
      </div>
      <div className="grid gap-6">
        <Section title="Second factor">
          <SecondFactor factors={user.factors ?? []} />
        </Section>
        <Section title="Sessions">
          <Sessions />
        </Section>
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

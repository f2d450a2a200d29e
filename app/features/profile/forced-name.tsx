import { type ReactNode, useState } from "react";
import * as v from "valibot";
import { saveUsername } from "#app/features/profile/profile-queries.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { usernameSchema } from "#domain/people/username.ts";
import { type ForcedName as Forced, readForcedName } from "./forced-name-queries.ts";
import { NameOffers } from "./name-offers.tsx";
import { UsernameField } from "./username-field.tsx";

type ForcedNameProps = {
  userId: string;
  /** Checks again when this changes, for example after a refusal. */
  asked?: unknown;
  /** Shown if no name has to be chosen. */
  children?: ReactNode;
};

/** Lets users whose name was revoked choose another one before they may write to others again. */
export function ForcedName({ userId, asked, children }: ForcedNameProps) {
  const [forced] = useOwnRead(readForcedName, { of: asked, isKept: true });
  const [followed, setFollowed] = useState<Forced | null>(null);
  if (!forced || typeof forced === "string" || forced === followed) return children;
  return <NameStep userId={userId} forced={forced} onDone={() => setFollowed(forced)} />;
}

function NameStep({ userId, forced, onDone }: { userId: string; forced: Forced; onDone(): void }) {
  const [typed, setTyped] = useState("");
  const { form, button } = useSessionForm({
    schema: v.object({ username: usernameSchema }),
    invalidTitle: undefined,
    send: (client, { username }) => saveUsername(client, userId, username),
    done(_, { username }) {
      showToast({ title: "Username saved", description: `Others see you as ${username}.` });
      onDone();
    },
  });
  return (
    <Form {...form} className="grid gap-3 p-4" aria-label="Choose a new username">
      <p className="font-semibold">Please choose a new username</p>
      <p>
        {forced.by_moderator
          ? `A moderator took your name away: ${forced.reason}`
          : `The rules for names have changed, and yours no longer fits: ${forced.reason}.`}{" "}
        Until you choose another one, you can read but not write to others.
      </p>
      <NameOffers onChoose={setTyped} />
      <UsernameField label="New username" value={typed} onChange={setTyped} />
      <Button {...button} variant="primary" className="justify-self-start">
        Use this name
      </Button>
    </Form>
  );
}

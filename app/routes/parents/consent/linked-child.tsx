import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { RetryNotice } from "#app/features/failed-reads/retry-notice.tsx";
import { DateText } from "#app/features/items/date-text.tsx";
import { saveFile } from "#app/features/profile/save-file.ts";
import { SessionButton } from "#app/features/session/session-button.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { type Child, INVALID, readChild } from "./parent-queries.ts";
import RenewForm from "./renew-form.tsx";

/** Whom the link is about, the question, and the parent's other options. */
export default function LinkedChild({ linkKey }: { linkKey: string }) {
  const [child, readAgain] = useOwnRead((client) => readChild(client, linkKey));
  const [isDeleted, setDeleted] = useState(false);
  if (isDeleted) return <p role="status">The account and everything in it are deleted.</p>;
  if (child === "reading") return <Skeleton className="h-64" />;
  if (child === "failed")
    return <RetryNotice onRetry={readAgain}>This page can’t be loaded right now.</RetryNotice>;
  if (child === null) return <RenewForm />;
  return (
    <>
      <Card as="section" className="grid gap-4">
        <CardTitle>{child.username}</CardTitle>
        <ChildState child={child} />
        <DecisionForm linkKey={linkKey} child={child} onDone={() => void readAgain()} />
      </Card>
      <Card as="section" className="grid gap-4">
        <CardTitle>What we keep about this child</CardTitle>
        <ChildData linkKey={linkKey} username={child.username} onDeleted={() => setDeleted(true)} />
      </Card>
    </>
  );
}

/** Takes the focus when the parent has decided: the pressed button is gone. */
function ChildState({ child }: { child: Child }) {
  const line = useRef<HTMLParagraphElement>(null);
  const last = useRef(child.state);
  useEffect(() => {
    if (last.current !== child.state) line.current?.focus();
    last.current = child.state;
  }, [child.state]);
  return (
    <p ref={line} role="status" tabIndex={-1}>
      {describeState(child)}
    </p>
  );
}

function describeState({ state, changed_at, username }: Child): ReactNode {
  const day = <DateText date={changed_at} />;
  switch (state) {
    case "asked":
      return (
        <>
          A child who goes by {username} here asked on {day} to be allowed to write to others.
        </>
      );
    case "allowed":
      return (
        <>
          You allowed {username} to write to others on {day}.
        </>
      );
    case "refused":
      return (
        <>
          You said no on {day}. {username} uses ready-made phrases, and your address is deleted.
        </>
      );
    case "withdrawn":
      return (
        <>
          You took the permission back on {day}. {username} uses ready-made phrases, and your address is
          deleted.
        </>
      );
  }
}

type ChildDataProps = { linkKey: string; username: string; onDeleted: () => void };

/** Downloads all data as a file, or deletes everything. */
function ChildData({ linkKey, username, onDeleted }: ChildDataProps) {
  const [isAsking, setAsking] = useState(false);
  const wasUnanswered = useRef(false);
  return (
    <>
      <p>The file contains the profile, saved trades, messages, ratings, reports and what moderators did.</p>
      <div className="flex flex-wrap gap-3">
        <SessionButton
          send={(client) => client.rpc("export_as_parent", { key: linkKey })}
          done={({ data }) => saveFile(`${username}.json`, JSON.stringify(data, null, 2), "application/json")}
        >
          Download everything
        </SessionButton>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete the account
        </Button>
      </div>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`Delete the account of ${username}?`}>
        <DeletionForm {...{ linkKey, onDeleted, wasUnanswered }} onCancel={() => setAsking(false)} />
      </Dialog>
    </>
  );
}

type DeletionProps = Pick<ChildDataProps, "linkKey" | "onDeleted"> & {
  /** Whether an attempt got no answer: the account may be deleted already, and the link with it. */
  wasUnanswered: RefObject<boolean>;
  onCancel: () => void;
};

function DeletionForm({ linkKey, onDeleted, wasUnanswered, onCancel }: DeletionProps) {
  const { form, button } = useSessionForm({
    async send(client) {
      const { error } = await client.rpc("delete_as_parent", { key: linkKey });
      if (error?.code === INVALID && wasUnanswered.current) return { error: null };
      wasUnanswered.current ||= error !== null && isUnanswered(error);
      return { error };
    },
    done: onDeleted,
  });
  return (
    <Form {...form} className="grid gap-4">
      <p>This deletes the account with its trades, messages and ratings, right away and for good.</p>
      <FormActions button={button} label="Delete everything" variant="danger" onCancel={onCancel} />
    </Form>
  );
}

/** What a parent agrees to, in the words of the page for parents, and the buttons to decide. */
function DecisionForm({ linkKey, child, onDone }: { linkKey: string; child: Child; onDone: () => void }) {
  const { takesUploads } = useSiteConfig();
  const decide = (decision: "allow" | "refuse" | "withdraw", notice: string) => ({
    async send(client: SessionClient) {
      const answer = await client.rpc("decide_as_parent", { key: linkKey, decision });
      // Decided in another tab meanwhile: this one shows what counts.
      if (answer.error) onDone();
      return answer;
    },
    done() {
      showToast({ title: notice });
      onDone();
    },
  });
  if (child.state === "allowed")
    return (
      <div className="grid justify-items-start gap-3">
        <p>
          If you take it back, the child can only use ready-made phrases again, is no longer listed, and gets
          a new made-up name.
        </p>
        <SessionButton {...decide("withdraw", "You took the permission back.")}>
          Take the permission back
        </SessionButton>
      </div>
    );
  if (child.state !== "asked") return null;
  return (
    <div className="grid gap-4">
      <p>If you are a parent or guardian of this child and allow it, the child may:</p>
      <ul className="list-disc pl-5">
        <li>write messages in the public chat, each checked before anybody sees it,</li>
        <li>write comments with ratings, and choose a username,</li>
        <li>
          be listed among the traders, if they switch it on
          {takesUploads ? ", and upload a picture, which a moderator looks at first." : "."}
        </li>
      </ul>
      <p>You can take your permission back at any time.</p>
      <div className="flex flex-wrap gap-3">
        <SessionButton {...decide("allow", "Thank you. You allowed it.")} variant="primary">
          I am a parent, and I allow it
        </SessionButton>
        <SessionButton {...decide("refuse", "Thank you. Nothing changes.")}>No</SessionButton>
      </div>
    </div>
  );
}

import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import * as v from "valibot";
import { RetryNotice } from "#app/features/failed-reads/retry-notice.tsx";
import { DateText } from "#app/features/items/date-text.tsx";
import { ageQuestion } from "#app/features/session/ask-for-age.ts";
import { useQuestion } from "#app/features/session/question.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceGroup } from "#app/ui/choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { focusNow } from "#app/ui/form/focus-now.ts";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { AGE_BANDS, bandSchema } from "#domain/people/age-bands.ts";
import { mailAddress } from "#domain/people/mail-address.ts";
import type { OwnStanding } from "./use-standing.ts";
import { useStanding } from "./use-standing.ts";

type AgeDialogProps = {
  /** Called when the answer may have changed. */
  onAnswered?: () => void;
};

/** Asks for the age group when someone first uses chat or community, then for a parent's permission; once per page. */
export function AgeDialog({ onAnswered }: AgeDialogProps) {
  const [isOpen, answer] = useQuestion(ageQuestion);

  function end(mayGoOn: boolean): void {
    answer(mayGoOn);
    onAnswered?.();
  }

  return (
    <Dialog open={isOpen} onClose={() => end(false)} title="Before you talk to others">
      {isOpen && <Steps onEnd={end} />}
    </Dialog>
  );
}

function Steps({ onEnd }: { onEnd: (mayGoOn: boolean) => void }) {
  const { own, isUnread, refresh } = useStanding();
  // The answer may have been given here or in another tab.
  const isAnswered = own !== null && own.standing !== "unasked" && own.standing !== "child";
  // biome-ignore lint/correctness/useExhaustiveDependencies: ends once, whatever the function is by then
  useEffect(() => {
    if (isAnswered) onEnd(true);
  }, [isAnswered]);

  if (isUnread) return <RetryNotice onRetry={refresh}>This can’t be loaded right now.</RetryNotice>;
  if (!own || isAnswered) return <Skeleton className="h-64" />;
  if (own.standing === "unasked")
    return <AgeForm onDone={() => void refresh()} onCancel={() => onEnd(false)} />;
  return <ChildPanel own={own} onAsked={() => void refresh()} onClose={() => onEnd(false)} />;
}

/** The database's code for a question that was already answered. */
const ANSWERED = "PT409";

/** The same question for everyone: no answer is preselected, and nothing hints which answer grants what. */
function AgeForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { form, button, isBusy } = useSessionForm({
    schema: bandSchema("Please choose your age group"),
    // Can be answered only once; afterwards only a moderator changes it.
    send: async (client, { band }) => {
      const answer = await client.rpc("choose_age_band", { band });
      // In another tab meanwhile: that answer counts.
      return answer.error?.code === ANSWERED ? null : answer;
    },
    done: onDone,
  });
  return (
    <Form {...form} className="grid gap-4">
      <p>
        We ask everybody once, so that the chat and the community fit your age. We keep only the group you
        choose, no date of birth, and other players never see it.
      </p>
      <ChoiceGroup legend="How old are you?" name="band" options={AGE_BANDS} />
      <p className="text-muted text-sm">
        You can’t change it yourself later. Read more:{" "}
        <Link to="/parents" className="link">
          For Parents
        </Link>
        ,{" "}
        <Link to="/privacy" className="link">
          Privacy Policy
        </Link>
        ,{" "}
        <Link to="/terms" className="link">
          Terms of Service
        </Link>
        .
      </p>
      <FormActions
        button={button}
        label={isBusy ? "Saving…" : "Continue"}
        onCancel={onCancel}
        cancel="Not now"
      />
    </Form>
  );
}

const parentSchema = v.object({ parent: mailAddress("Please enter an email address") });

/** What is available without a parent's permission, and how to ask for it where the site sends mail. */
function ChildPanel(props: AskParentProps) {
  const { asksParents } = useSiteConfig();
  return (
    <div className="grid gap-4">
      <p ref={focusNow} tabIndex={-1}>
        You can read the chat and use quick talk, rate traders with stars, and use everything else here.{" "}
        {asksParents
          ? "A parent can allow you to write short messages."
          : "Writing your own messages needs a parent’s permission, and this site can’t ask for it yet: it sends no email."}
      </p>
      {asksParents ? (
        <AskParent {...props} />
      ) : (
        <Button className="justify-self-end" onClick={props.onClose}>
          Close
        </Button>
      )}
    </div>
  );
}

type AskParentProps = { own: OwnStanding; onAsked: () => void; onClose: () => void };

function AskParent({ own, onAsked, onClose }: AskParentProps) {
  const { form, button, isBusy } = useSessionForm({
    schema: parentSchema,
    send: (client, { parent }) => client.rpc("ask_parent", { email: parent }),
    done: onAsked,
  });
  return (
    <>
      <p role="status">{describeParent(own)}</p>
      <Form {...form} className="grid gap-4">
        <TextField
          label="A parent’s email"
          name="parent"
          type="email"
          autoComplete="off"
          required
          hint="We send one email that explains everything, and use the address only for this."
        />
        <p className="text-muted text-sm">
          What your parent can read:{" "}
          <Link to="/parents" className="link">
            For Parents
          </Link>
        </p>
        <FormActions
          button={button}
          label={isBusy ? "Sending…" : own.parent === "asked" ? "Ask again" : "Ask a parent"}
          onCancel={onClose}
          cancel="Close"
        />
      </Form>
    </>
  );
}

function describeParent({ parent, askedAt }: OwnStanding): ReactNode {
  if (parent === "asked" && askedAt)
    return (
      <>
        We wrote to your parent on <DateText date={askedAt} />. Their answer will show here.
      </>
    );
  if (parent === "refused") return "Your parent said no for now. Talk with them before you ask again.";
  if (parent === "withdrawn")
    return "Your parent took the permission back. Talk with them before you ask again.";
  return "";
}

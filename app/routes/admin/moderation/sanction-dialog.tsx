import { useState } from "react";
import { useKeptText } from "#app/features/browser-storage/use-kept-text.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Dialog, focusOnOpen } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { SelectField } from "#app/ui/form/select-field.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { REPORT_CODES, wordsOfCode } from "#domain/moderation/report-code.ts";
import { lengthsOf, type SanctionKind, sanctionSchema } from "#domain/moderation/sanction.ts";
import { type Case, openReportIdsOf } from "./cases.ts";
import { sanctionPerson } from "./sanction-queries.ts";

type Words = { title: string; does: string; confirm: string; done: string };

const WORDS: Record<SanctionKind, Words> = {
  message: {
    title: "Remove a message by",
    does: "It’s gone from the chat for everyone and doesn’t come back.",
    confirm: "Remove message",
    done: "Message removed",
  },
  silence: {
    title: "Silence",
    does: "They can still read the chat and use the rest of the site.",
    confirm: "Silence",
    done: "Person silenced",
  },
  rename: {
    title: "New name for",
    does: "They get a harmless name right away, and have to choose another before they can write to anyone.",
    confirm: "Take the name away",
    done: "Name taken away",
  },
  picture: {
    title: "Remove the picture of",
    does: "Their initials are shown instead. The picture doesn’t come back.",
    confirm: "Remove picture",
    done: "Picture removed",
  },
  comment: {
    title: "Remove a comment by",
    does: "The words are deleted, the stars stay.",
    confirm: "Remove comment",
    done: "Comment removed",
  },
  ban: {
    title: "Suspend",
    does: "Every session ends at once, and they can’t log in until it’s over.",
    confirm: "Suspend",
    done: "Person suspended",
  },
};

export type Asked = { kind: SanctionKind; of: Case };

type SanctionDialogProps = {
  asked: Asked | null;
  onClose(): void;
  /** Called with a description of the sanction, its id, and whether it is stored as sent, not as in a former attempt. */
  onDone(what: string, sanctionId: string, isAsSent: boolean): void;
  onFailed(): void;
};

/** Asks for reason and duration, and sanctions the user. */
export function SanctionDialog({ asked, onClose, ...ends }: SanctionDialogProps) {
  const title = asked ? `${WORDS[asked.kind].title} ${asked.of.person.username}` : "";
  return (
    <Dialog open={asked !== null} onClose={onClose} title={title}>
      {asked && <SanctionForm asked={asked} onClose={onClose} {...ends} />}
    </Dialog>
  );
}

function SanctionForm({ asked, onClose, onDone, onFailed }: SanctionDialogProps & { asked: Asked }) {
  const { kind, of } = asked;
  const [reportId = null] = openReportIdsOf(of);
  const words = WORDS[kind];
  const [id] = useState(() => crypto.randomUUID());
  const [code, setCode] = useState(of.evidence[0]?.reports[0]?.code ?? "other");
  const userId = useSession().session?.user.id;
  const reason = useKeptText(`${kind} ${of.person.id} by ${userId}`);
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: sanctionSchema,
    send: (client, input) => sanctionPerson(client, { id, personId: of.person.id, reportId, kind }, input),
    close: onClose,
    done(isAsSent) {
      reason.forget();
      onDone(words.done, id, isAsSent);
    },
    failed: onFailed,
  });
  const subjects = subjectsOf(asked);
  const lengths = lengthsOf(kind).map((length) => ({ value: length, label: length }));
  return (
    <Form {...form} className="grid gap-4">
      <p className="text-muted">{words.does} It counts as a strike.</p>
      {subjects.length > 0 && <SelectField label="Which" name="subject" required options={subjects} />}
      {lengths.length > 0 && (
        <SelectField ref={focusOnOpen} label="How long" name="length" required options={lengths} />
      )}
      <SelectField
        label="Why"
        name="code"
        required
        options={REPORT_CODES.map((value) => ({ value, label: wordsOfCode(value).label }))}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <TextField
        ref={lengths.length > 0 ? null : focusOnOpen}
        label="Reason"
        name="reason"
        required
        autoComplete="off"
        hint="They’ll read it, so keep it short, kind and clear."
        value={reason.text ?? wordsOfCode(code).sentence}
        onChange={(event) => reason.type(event.target.value)}
      />
      <FormActions button={button} label={words.confirm} variant="danger" onCancel={onClose} />
    </Form>
  );
}

/** What the sanction may refer to, if it is about a single text. */
function subjectsOf({ kind, of }: Asked): { value: string; label: string }[] {
  const isMeant = (evidence: Case["evidence"][number]) =>
    kind === "message"
      ? evidence.messageId !== null
      : kind === "comment" && (evidence.kind === "rating" || evidence.kind === "answer");
  // A rating that was edited between two reports is one subject.
  const texts = new Map(of.evidence.filter(isMeant).map(({ subjectId, text }) => [subjectId, text]));
  return Array.from(texts, ([value, text]) => ({
    value,
    label: text.length > 60 ? `${text.slice(0, 59)}…` : text,
  }));
}

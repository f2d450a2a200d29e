import type { ReactNode } from "react";
import * as v from "valibot";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { ChoiceGroup } from "#app/ui/choice.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { REPORT_CODES, REPORT_KINDS, wordsOfCode } from "#domain/moderation/report-code.ts";
import { titled } from "#domain/text/words.ts";
import { type ReportTarget, submitReport } from "./submit-report.ts";

const NOT_CHOSEN = "Please choose what’s wrong";

const reportSchema = v.object({
  // Without a choice, the form sends no field.
  code: v.pipe(v.optional(v.string(), ""), v.picklist(REPORT_CODES, NOT_CHOSEN)),
  mute: v.optional(v.string()),
});

const REASONS = REPORT_CODES.map((value) => ({ value, label: wordsOfCode(value).question }));

type ReportFormProps = {
  target: ReportTarget;
  onClose(): void;
  /**
   * Called when it was sent; tells whether the checkbox named `mute` among `children` was checked. Resolves to what else
   * to say.
   */
  onSent?(isMuted: boolean): Promise<string>;
  /** The reported content, and further fields. */
  quote: ReactNode;
  children?: ReactNode;
};

function describeSent({ kind }: ReportTarget, outcome: "new" | "known") {
  if (outcome === "known")
    return {
      title: `You already reported ${REPORT_KINDS[kind]}`,
      description: "The moderators know about it.",
    };
  return {
    title: `${titled(kind)} reported`,
    description: "Thank you. A moderator will look at it; your account page says what became of it.",
  };
}

/** Reports someone's content to the moderators (P13). */
export function ReportForm({ target, onClose, onSent, quote, children }: ReportFormProps) {
  const { form, button } = useSessionForm({
    schema: reportSchema,
    invalidTitle: undefined,
    send: (client, { code }) => submitReport(client, target, code),
    close: onClose,
    async done(outcome, { mute }) {
      const more = (await onSent?.(mute !== undefined)) ?? "";
      const { title, description } = describeSent(target, outcome);
      showToast({ title, description: `${description} ${more}`.trim() });
    },
  });

  return (
    <Form {...form} className="grid gap-4">
      {quote}
      <ChoiceGroup legend="What is wrong?" name="code" options={REASONS} />
      {children}
      <FormActions button={button} label="Send report" variant="danger" onCancel={onClose} />
    </Form>
  );
}

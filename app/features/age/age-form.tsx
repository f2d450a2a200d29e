import { Link } from "react-router";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { ChoiceGroup } from "#app/ui/choice.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { AGE_BANDS, bandSchema } from "#domain/people/age-bands.ts";

type AgeFormProps = { onDone: () => void; onCancel: () => void };

/** The same question for everyone: no answer is preselected, and nothing hints which answer grants what. */
export function AgeForm({ onDone, onCancel }: AgeFormProps) {
  const { form, button, isBusy } = useSessionForm({
    schema: bandSchema("Please choose your age group"),
    // Can be answered only once; afterwards only a moderator changes it.
    send: (client, { band }) => client.rpc("choose_age_band", { band }),
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

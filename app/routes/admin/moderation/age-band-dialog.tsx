import { useRefresh } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { ChoiceGroup } from "#app/ui/choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { AGE_BANDS, bandSchema } from "#domain/people/age-bands.ts";
import type { CasePerson } from "./cases.ts";

type AgeBandDialogProps = { person: CasePerson | null; onClose(): void };

/** Corrects a user's age group. Moderators are not told which group it was. */
export function AgeBandDialog({ person, onClose }: AgeBandDialogProps) {
  return (
    <Dialog open={person !== null} onClose={onClose} title={`Age group of ${person?.username ?? ""}`}>
      {person && <AgeBandForm person={person} onClose={onClose} />}
    </Dialog>
  );
}

function AgeBandForm({ person, onClose }: { person: CasePerson; onClose(): void }) {
  const refresh = useRefresh();
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: bandSchema("Choose an age group"),
    send: (client, { band }) => client.rpc("set_age_band", { person: person.id, band }),
    done() {
      onClose();
      showToast({
        title: "Age group changed",
        description: "Who changed it is on the list, not to which group.",
      });
      void refresh("reports", "admin_acts");
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <p>
        For somebody who said it wrong. Below the site’s age limit they get a new name, leave the community’s
        list and have quick talk only, until a parent allows more.
      </p>
      <ChoiceGroup legend="Age group" name="band" options={AGE_BANDS} />
      <FormActions button={button} label="Change age group" onCancel={onClose} />
    </Form>
  );
}

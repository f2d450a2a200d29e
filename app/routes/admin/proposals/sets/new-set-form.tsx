import * as v from "valibot";
import { useRefresh } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { createSet } from "#app/routes/admin/proposals/proposal-queries.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { lengthOf } from "#domain/text/limits.ts";

const MAX = COLUMN_LIMITS.value_sets.name;
const schema = v.object({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("Name is required"),
    v.check((text) => lengthOf(text) <= MAX, `At most ${MAX} characters`),
  ),
});

/** Begins a set under a name. */
export function NewSetForm() {
  const refresh = useRefresh();
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema,
    send: (client, { name }) => createSet(client, name),
    async done(_, { name }, element) {
      element.reset();
      await refresh("value_sets");
      showToast({ title: `The set ${name} is open` });
    },
  });
  return (
    <Form {...form} aria-label="New set" className="set-new">
      <TextField label="New set" name="name" placeholder="Such as Update 25" required />
      <Button {...button}>Open set</Button>
    </Form>
  );
}

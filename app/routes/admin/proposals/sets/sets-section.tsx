import * as v from "valibot";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { createSet, readSets } from "#app/routes/admin/proposals/proposal-queries.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { neededText } from "#domain/text/text-schema.ts";
import { SetCard } from "./set-card.tsx";

const schema = v.object({ name: neededText(COLUMN_LIMITS.value_sets.name, "Name is required") });

/** Creates a named set. */
function NewSetForm() {
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
    <Form {...form} aria-label="New set" className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <TextField
        label="New set"
        name="name"
        placeholder="Such as Update 25"
        className="min-w-0 flex-[1_1_12rem]"
        required
      />
      <Button {...button} className="mb-1.5">
        Open set
      </Button>
    </Form>
  );
}

const OPEN = ["draft", "submitted"];

/** Named collections of drafts, published as one: now, or at a scheduled time. */
export function SetsSection() {
  const sets = useRead(["value_sets", "open"], (client) => readSets(client, OPEN));
  return (
    <div className="grid gap-4">
      <NewSetForm />
      <ReadState read={sets} what="Sets">
        {({ sets: open, names }) => (
          <RowList rows={open} empty={<NoSet />} className="grid items-start gap-4 lg:grid-cols-2">
            {(set) => <SetCard key={set.id} {...{ set, names }} />}
          </RowList>
        )}
      </ReadState>
    </div>
  );
}

function NoSet() {
  return (
    <EmptyState title="No set is open" level={3}>
      Name one here; the form of each item then offers to put its values into it.
    </EmptyState>
  );
}

import { useId, useState } from "react";
import * as v from "valibot";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { useAttemptId } from "#app/features/session/use-attempt-id.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import {
  createSet,
  findSet,
  type Names,
  readSets,
  type ValueSet,
} from "#app/routes/admin/proposals/proposal-queries.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useRepeatable } from "#app/routes/admin/shared/use-repeatable.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { countOf } from "#domain/text/counts.ts";
import { neededText } from "#domain/text/text-schema.ts";
import { SetValues } from "./set-values.tsx";

const schema = v.object({ name: neededText(COLUMN_LIMITS.value_sets.name, "Name is required") });

function NewSetForm() {
  const refresh = useRefresh();
  const { idOf, forget } = useAttemptId();
  const { send } = useRepeatable({ add: createSet, find: findSet });
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema,
    send: (client, { name }) => send(client, { name, id: idOf(name) }),
    async done(_, { name }, element) {
      forget();
      element.reset();
      await refresh("value_sets");
      showToast({ title: `The set ${name} is open` });
    },
    failed: () => void refresh("value_sets"),
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

/** Named collections of drafts, published as one: now, or at a scheduled time. */
export function SetsSection() {
  const sets = useRead(["value_sets", "open"], (client) => readSets(client, "open"));
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

const HELD = new Set(["draft", "waiting", "approved"]);

/** An unpublished set: its values, its schedule, and the available actions. */
function SetCard({ set, names }: { set: ValueSet; names: Names }) {
  const { id, created_by, fault, planned_for } = set;
  const { isAdmin, session } = useSession();
  const name = set.name ?? "";
  const title = useId();
  const { isBusy, act } = useAct("value_sets", "value_proposals", "items");
  const [asked, setAsked] = useState<"publish" | "discard" | null>(null);
  const values = set.value_proposals.filter(({ state }) => HELD.has(state));

  async function publish() {
    await act(async (client) => {
      const { data: waiting } = await client.rpc("publish_value_set", { set_id: id }).throwOnError();
      notifyWaiting(waiting, `${name} is published`);
    });
    setAsked(null);
  }
  async function discard() {
    await act(
      (client) => client.rpc("discard_value_set", { set_id: id }).throwOnError(),
      `${name} is thrown away`,
    );
    setAsked(null);
  }

  return (
    <Card as="li" variant="well" className="grid content-start gap-3" aria-labelledby={title}>
      <div className="flex flex-wrap items-center gap-2">
        <h3 id={title} className="text-base">
          {name}
        </h3>
        <Badge>{countOf(values.length, "value")}</Badge>
        {planned_for && (
          <Badge tone="accent">
            Planned for <Moment at={planned_for} />
          </Badge>
        )}
      </div>
      <p className="text-muted text-sm">
        Begun by {names.get(created_by ?? "") ?? "somebody whose account is gone"}
      </p>
      {fault && (
        <p role="alert" className="text-fall">
          Not published when it was planned: {fault}
        </p>
      )}
      <SetValues
        values={values}
        onTakeOut={(value) =>
          act((client) => client.rpc("withdraw_proposals", { ids: [value.id] }).throwOnError())
        }
        canTakeOut={({ proposed_by }) => !isBusy && proposed_by === session?.user.id}
      />
      <SetPlan
        plannedFor={planned_for}
        isBusy={isBusy}
        isEmpty={values.length === 0}
        onPlan={(at) =>
          act(async (client) => {
            const planned_for = at as string;
            const { data } = await client.rpc("plan_value_set", { set_id: id, planned_for }).throwOnError();
            notifyWaiting(data, at ? `${name} is planned` : `${name} is a draft again`);
          })
        }
      />
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="primary"
          disabled={isBusy || values.length === 0}
          onClick={() => setAsked("publish")}
        >
          Publish {countOf(values.length, "value")}
        </Button>
        {(isAdmin || created_by === session?.user.id) && (
          <Button size="sm" variant="ghost" disabled={isBusy} onClick={() => setAsked("discard")}>
            Throw away
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asked !== null}
        title={asked === "discard" ? `Throw ${name} away?` : `Publish ${name} now?`}
        confirm={asked === "discard" ? "Throw away" : "Publish"}
        isBusy={isBusy}
        onConfirm={() => void (asked === "discard" ? discard() : publish())}
        onClose={() => setAsked(null)}
      >
        <p>
          {asked === "discard"
            ? "Its values are withdrawn. Nothing that is published changes."
            : `${countOf(values.length, "value")}, all at once. They can be taken back at once too.`}
        </p>
      </ConfirmDialog>
    </Card>
  );
}

/** Confirms what was done, or says that nothing was, because values wait. */
function notifyWaiting(waiting: number, done: string): void {
  if (waiting === 0) showToast({ title: done });
  else
    showToast({
      title: `${countOf(waiting, "value")} of the set ${waiting === 1 ? "waits" : "wait"} for a second person`,
      description: "Nothing of it is published before.",
    });
}

type SetPlanProps = {
  plannedFor: string | null;
  isBusy: boolean;
  /** A planned set takes no values, so an empty one would stay empty. */
  isEmpty: boolean;
  /** A time in ISO 8601 form; null cancels the schedule. */
  onPlan(at: string | null): void;
};

/** When a set is published automatically, in the user's time zone. */
function SetPlan({ plannedFor, isBusy, isEmpty, onPlan }: SetPlanProps) {
  const [text, setText] = useState("");
  if (plannedFor)
    return (
      <div>
        <Button size="sm" disabled={isBusy} onClick={() => onPlan(null)}>
          Take the plan back
        </Button>
      </div>
    );
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <TextField
        label="Publish at"
        type="datetime-local"
        // Without it, browsers take years of six digits, which are no date here.
        max="9999-12-31T23:59"
        className="min-w-0 flex-[1_1_12rem]"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button
        className="mb-1.5"
        disabled={isBusy || isEmpty || Number.isNaN(Date.parse(text))}
        onClick={() => onPlan(new Date(text).toISOString())}
      >
        Plan
      </Button>
    </div>
  );
}

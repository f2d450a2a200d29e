import { useState } from "react";
import * as v from "valibot";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { siteNow } from "#app/features/session/site-clock.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { SavedMeanwhile } from "#app/routes/admin/shared/saved-meanwhile.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useRowForm } from "#app/routes/admin/shared/use-row-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { countOf } from "#domain/text/counts.ts";
import { formatDate } from "#domain/text/dates.ts";
import { neededText } from "#domain/text/text-schema.ts";
import { TouchedItems } from "./touched-items.tsx";
import { endGameUpdate, type GameUpdate, listGameUpdates, markGameUpdate } from "./update-queries.ts";

const NONE =
  "No update has been marked yet. Mark one when the game changes: what it touched gets wider ranges.";

/** Game updates: which items each affected, and until when their values count as unsettled. */
export default function UpdatesSection({ items }: { items: readonly Item[] }) {
  return (
    <div className="grid gap-5">
      <UpdateForm items={items} />
      <ReadState read={useRead(["game_updates"], listGameUpdates)} what="Game updates">
        {(updates) => (
          <RowList rows={updates} empty={NONE} className="grid gap-3" label="Game updates">
            {(update) => <UpdateEntry key={update.id} update={update} items={items} />}
          </RowList>
        )}
      </ReadState>
    </div>
  );
}

function UpdateEntry({ update, items }: { update: GameUpdate; items: readonly Item[] }) {
  const { name, happened_at, volatile_until, game_update_items: touched } = update;
  const { isBusy, act } = useAct("game_updates");
  const [isAsked, ask] = useState(false);
  const [isEdited, edit] = useState(false);
  const isOver = Date.parse(volatile_until) <= siteNow();

  const end = () =>
    act((client) => endGameUpdate(client, update), "Update ended", `Values after ${name} count as settled.`);
  const remove = () =>
    act(
      (client) => client.from("game_updates").delete().eq("id", update.id).throwOnError(),
      "Update deleted",
    );

  if (isEdited)
    return (
      <li>
        <UpdateForm items={items} update={update} onDone={() => edit(false)} />
      </li>
    );
  return (
    <li className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="text-muted text-sm">
          {formatDate(happened_at, "UTC")} · {countOf(touched.length, "item")} ·{" "}
          {isOver ? "settled since" : "volatile until"} {formatDate(volatile_until, "UTC")}
        </p>
      </div>
      <span className="flex flex-wrap gap-2">
        <Button size="sm" disabled={isBusy} aria-label={`Edit ${name}`} onClick={() => edit(true)}>
          Edit
        </Button>
        {!isOver && (
          <Button size="sm" disabled={isBusy} aria-label={`End ${name} now`} onClick={() => void end()}>
            End now
          </Button>
        )}
        <Button size="sm" disabled={isBusy} aria-label={`Delete ${name}`} onClick={() => ask(true)}>
          Delete
        </Button>
      </span>
      <ConfirmDialog
        open={isAsked}
        title={`Delete ${name}?`}
        confirm="Delete it"
        isBusy={isBusy}
        onConfirm={() => void remove()}
        onClose={() => ask(false)}
      >
        <p>Its mark goes from every page and chart, as if it had never been there.</p>
      </ConfirmDialog>
    </li>
  );
}

const DAY = 86_400_000;
const NAME_LIMIT = COLUMN_LIMITS.game_updates.name;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

type UpdateFormProps = { items: readonly Item[]; update?: GameUpdate; onDone?(): void };

/** Adds a game update, or edits an existing one; after adding, the form is reset. */
function UpdateForm(props: UpdateFormProps) {
  const [count, setCount] = useState(0);
  return <FreshForm key={count} {...props} onMarked={() => setCount(count + 1)} />;
}

/** The fields' values for a stored update, or for a new one. */
const fieldsOf = (update?: GameUpdate) => ({
  name: update?.name ?? "",
  until: update?.volatile_until.slice(0, 10) ?? dayOf(siteNow() + 7 * DAY),
  touched: new Set(update?.game_update_items.map(({ item_id }) => item_id)) as ReadonlySet<string>,
});

type Fields = ReturnType<typeof fieldsOf>;

const isSame = (typed: Fields, stored: Fields) =>
  typed.name.trim() === stored.name &&
  typed.until === stored.until &&
  typed.touched.size === stored.touched.size &&
  [...typed.touched].every((id) => stored.touched.has(id));

/** What a new update is compared with: it has no version yet. */
const NEW = { updated_at: "" };

function FreshForm({ items, update, onDone, onMarked }: UpdateFormProps & { onMarked(): void }) {
  const refresh = useRefresh();
  const [fields, setFields] = useState(() => fieldsOf(update));
  const { name, until, touched } = fields;
  // The same at each attempt, so that one whose answer was lost adds nothing twice.
  const [id] = useState(() => update?.id ?? crypto.randomUUID());
  const { form, button, isBusy, isStale, take, keep } = useRowForm(update ?? NEW, {
    isOwn: () => isSame(fields, fieldsOf(update)),
    schema: schemaOf(update?.volatile_until.slice(0, 10)),
    values: { name, until, items: [...touched] },
    send: (client, base, write) => markGameUpdate(client, { id, was: base.updated_at || null, ...write }),
    async done() {
      await refresh("game_updates");
      onMarked();
      onDone?.();
      showToast({
        title: update ? "Update changed" : "Update marked",
        description: "Pages, charts and the calculator show it from now on.",
      });
    },
    failed: () => void refresh("game_updates"),
  });
  return (
    <Form {...form} aria-label={update ? `Edit ${update.name}` : "Mark a game update"} className="grid gap-4">
      <div className="grid gap-4">
        <TextField
          label="What players call the update"
          name="name"
          required
          limit={NAME_LIMIT}
          value={name}
          onChange={(event) => setFields({ ...fields, name: event.target.value })}
        />
        <TextField
          label="Values are volatile until"
          name="until"
          type="date"
          required
          min={dayOf(siteNow())}
          value={until}
          onChange={(event) => setFields({ ...fields, until: event.target.value })}
        />
      </div>
      <TouchedItems
        items={items}
        touched={touched}
        onTouch={(next) => setFields({ ...fields, touched: next })}
      />
      {isStale && update && (
        <SavedMeanwhile
          what="update"
          onTake={() => {
            take();
            setFields(fieldsOf(update));
          }}
          onKeep={keep}
        >
          It is {update.name} now, with {countOf(update.game_update_items.length, "item")}, until{" "}
          {formatDate(update.volatile_until, "UTC")}.
        </SavedMeanwhile>
      )}
      <span className="flex flex-wrap gap-2">
        <Button {...button} variant="primary" disabled={isStale}>
          {update ? "Save" : "Mark update"}
        </Button>
        {onDone && (
          <Button variant="ghost" disabled={isBusy} onClick={onDone}>
            Cancel
          </Button>
        )}
      </span>
    </Form>
  );
}

/** The day counts to its end, in UTC like all dates of values; the stored day stays as it is, also one that is over. */
const schemaOf = (storedDay: string | undefined) =>
  v.object({
    name: neededText(NAME_LIMIT, "Name is required", `Name must be at most ${NAME_LIMIT} characters`),
    until: v.pipe(
      v.string(),
      v.isoDate("Choose the day until which values may move"),
      v.transform((day) => (day === storedDay ? null : `${day}T23:59:59Z`)),
      v.check((end) => end === null || Date.parse(end) > siteNow(), "Choose a day that is not over"),
    ),
    items: v.pipe(v.array(v.string()), v.minLength(1, "Choose at least one item that the update touched")),
  });

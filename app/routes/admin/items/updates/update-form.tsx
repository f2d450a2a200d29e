import { useState } from "react";
import * as v from "valibot";
import type { Draft } from "#app/features/browser-storage/kept.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRefresh } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { SavedMeanwhile } from "#app/routes/admin/shared/saved-meanwhile.tsx";
import { findKeptEdit, useKeptEdit } from "#app/routes/admin/shared/use-kept-edit.ts";
import { useFirstField, useRowForm } from "#app/routes/admin/shared/use-row-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { countOf } from "#domain/text/counts.ts";
import { formatDate } from "#domain/text/dates.ts";
import { neededText } from "#domain/text/text-schema.ts";
import { TouchedItems } from "./touched-items.tsx";
import { type GameUpdate, markGameUpdate } from "./update-queries.ts";

const DAY = 86_400_000;
const NAME_LIMIT = COLUMN_LIMITS.game_updates.name;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The last day that ends within the 90 days that the database allows. */
const lastDayOf = (update?: GameUpdate) =>
  dayOf((update ? Date.parse(update.happened_at) : siteNow()) + 89 * DAY);

/** What a new update begins from. Its id stays, so that an attempt whose answer was lost adds nothing twice. */
const newUpdate = (id: string): GameUpdate => ({
  id,
  name: "",
  happened_at: "",
  volatile_until: dayOf(siteNow() + 7 * DAY),
  updated_at: "",
  game_update_items: [],
});

const fieldsOf = (update: GameUpdate) => ({
  name: update.name,
  until: update.volatile_until.slice(0, 10),
  touched: new Set(update.game_update_items.map(({ item_id }) => item_id)) as ReadonlySet<string>,
});

type Fields = ReturnType<typeof fieldsOf>;

const isSame = (typed: Fields, stored: Fields) =>
  typed.name.trim() === stored.name &&
  typed.until === stored.until &&
  typed.touched.size === stored.touched.size &&
  [...typed.touched].every((id) => stored.touched.has(id));

/** An unsaved edit: the update's id, the version that was edited, and the fields. */
const keptSchema = v.object({
  id: v.string(),
  was: v.string(),
  name: v.string(),
  until: v.string(),
  touched: v.array(v.string()),
});

type UpdateFormProps = {
  items: readonly Item[];
  /** The one to edit; without it, the form adds one. */
  update?: GameUpdate;
  /** Whether one was just added, so that the next can be typed at once. */
  isNext?: boolean;
  onDone(): void;
  onCancel(): void;
};

/** Adds a game update, or edits an existing one. */
export function UpdateForm({ items, update, isNext, onDone, onCancel }: UpdateFormProps) {
  const refresh = useRefresh();
  const of: Draft = `update ${update?.id ?? "new"} by ${useSession().session?.user.id}`;
  const [kept] = useState(() => findKeptEdit(of, keptSchema));
  const [added] = useState(() => newUpdate(kept?.id ?? crypto.randomUUID()));
  const row = update ?? added;
  const [fields, setFields] = useState<Fields>(() =>
    kept ? { ...kept, touched: new Set(kept.touched) } : fieldsOf(row),
  );
  const { name, until, touched } = fields;
  const lastDay = lastDayOf(update);
  const { form, button, isBusy, element, base, isStale, take, keep, choices } = useRowForm(row, {
    begun: kept ? { ...row, updated_at: kept.was } : undefined,
    isOwn: () => isSame(fields, fieldsOf(row)),
    schema: schemaOf(update?.volatile_until.slice(0, 10), lastDay),
    values: { name, until, items: [...touched] },
    send: (client, from, write) =>
      markGameUpdate(client, { id: row.id, was: from.updated_at || null, ...write }),
    async done() {
      forget();
      await refresh("game_updates");
      onDone();
      showToast({
        title: update ? "Update changed" : "Update marked",
        description: "Pages, charts and the calculator show it from now on.",
      });
    },
    failed: () => void refresh("game_updates"),
  });
  const isTyped = !isSame(fields, fieldsOf(base));
  const edit = { id: row.id, was: base.updated_at, name, until, touched: [...touched] };
  const forget = useKeptEdit(of, isTyped ? edit : null);
  useFirstField(element, choices, update !== undefined || isNext === true);
  return (
    <Form
      {...form}
      ref={element}
      aria-label={update ? `Edit ${update.name}` : "Mark a game update"}
      className="grid gap-4"
    >
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
          max={lastDay}
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
        {(update || isTyped) && (
          <Button
            variant="ghost"
            disabled={isBusy}
            onClick={() => {
              forget();
              onCancel();
            }}
          >
            Cancel
          </Button>
        )}
      </span>
    </Form>
  );
}

/** The day counts to its end, in UTC like all dates of values; the stored day stays as it is, also one that is over. */
const schemaOf = (storedDay: string | undefined, lastDay: string) =>
  v.object({
    name: neededText(NAME_LIMIT, "Name is required", `Name must be at most ${NAME_LIMIT} characters`),
    until: v.pipe(
      v.string(),
      v.isoDate("Choose the day until which values may move"),
      v.check(
        (day) => day === storedDay || day <= lastDay,
        `Values settle within 90 days: choose ${formatDate(lastDay, "UTC")} or earlier`,
      ),
      v.transform((day) => (day === storedDay ? null : `${day}T23:59:59Z`)),
      v.check((end) => end === null || Date.parse(end) > siteNow(), "Choose a day that is not over"),
    ),
    items: v.pipe(v.array(v.string()), v.minLength(1, "Choose at least one item that the update touched")),
  });

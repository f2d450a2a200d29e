import { useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { GRID_COLUMNS } from "#app/routes/admin/items/grid/model/columns.ts";
import { choicesOf, isRange, showText } from "#app/routes/admin/items/grid/model/fields.ts";
import { isEvidence, withPicture } from "#app/routes/admin/items/values/evidence-files.ts";
import { PictureField } from "#app/routes/admin/items/values/picture-field.tsx";
import {
  type ReasonChoice,
  readReasons,
  STILL_RIGHT_CODE,
} from "#app/routes/admin/items/values/publish-values.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Dialog, focusOnOpen } from "#app/ui/dialog.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { SelectField } from "#app/ui/form/select-field.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { ScrollRegion } from "#app/ui/scroll-region.tsx";
import { countOf } from "#domain/text/counts.ts";
import { describeChange, isLargeChange } from "#domain/values/large-change.ts";
import { keepReason, type Reason, readReason } from "../kept-grid.ts";
import { partsOf } from "../model/edits.ts";
import type { Grid } from "../use-grid.ts";
import { CELLS_AT_ONCE, type PublishResult, publishCells, type ReadyCell } from "./publish-cells.ts";

type PublishDialogProps = {
  grid: Grid;
  /** The cells to publish; null while the dialog is closed. */
  ready: readonly ReadyCell[] | null;
  onClose(): void;
  onPublished(result: PublishResult): Promise<void>;
};

/** What would be published next to what is; one reason for all cells without their own note. */
export function PublishDialog({ grid, ready, onClose, onPublished }: PublishDialogProps) {
  const reasons = useRead(["value_reasons"], readReasons);
  const count = ready?.length ?? 0;
  return (
    <Dialog open={ready !== null} onClose={onClose} title={`Publish ${countOf(count, "cell")}`} size="wide">
      <ReadState read={reasons} what="The reasons">
        {(choices) =>
          ready && (
            <PublishForm
              {...{ grid, onClose, onPublished }}
              choices={choices}
              ready={ready.slice(0, CELLS_AT_ONCE)}
            />
          )
        }
      </ReadState>
    </Dialog>
  );
}

type PublishFormProps = Omit<PublishDialogProps, "ready"> & {
  ready: readonly ReadyCell[];
  choices: readonly ReasonChoice[];
};

function PublishForm({ grid, ready, choices, onClose, onPublished }: PublishFormProps) {
  const { reason, change, picture, setPicture, form, button, isBusy, needs, large } = usePublishing({
    ready,
    onPublished,
  });
  const offered = choices.filter(({ code }) => code !== STILL_RIGHT_CODE);
  return (
    <Form {...form} className="grid gap-4">
      <PublishDiff cells={ready} byId={grid.draft.byId} />
      {needs && (
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Reason"
            name="reason_code"
            required
            ref={focusOnOpen}
            value={reason.code}
            onChange={(event) => change({ code: event.target.value })}
            options={[
              { value: "", label: "Choose…" },
              ...offered.map(({ code, label }) => ({ value: code, label })),
            ]}
          />
          <TextField
            label="Note"
            name="note"
            required
            hint="Public, with each change that has no note of its own"
            limit={200}
            value={reason.note}
            onChange={(event) => change({ note: event.target.value })}
          />
          <TextField
            label="Evidence"
            name="evidence_url"
            type="url"
            placeholder="https://"
            hint="A link that others can look at"
            value={reason.evidence}
            onChange={(event) => change({ evidence: event.target.value })}
            className="sm:col-span-2"
          />
          <PictureField picture={picture} onChange={setPicture} className="sm:col-span-2" />
        </div>
      )}
      {large > 0 && (
        <CheckboxField
          name="large"
          label={`${countOf(large, "value")} ${large === 1 ? "moves" : "move"} by more than half: that is meant`}
        />
      )}
      <FormActions
        button={button}
        label={isBusy ? "Publishing…" : `Publish ${countOf(ready.length, "cell")}`}
        onCancel={onClose}
      />
    </Form>
  );
}

function usePublishing({ ready, onPublished }: Pick<PublishFormProps, "ready" | "onPublished">) {
  const [reason, setReason] = useState<Reason>(readReason);
  const [picture, setPicture] = useState<Blob | null>(null);
  // Checks alone need no reason.
  const needs = ready.some(({ key }) => partsOf(key).field !== "checked");
  const large = ready.filter(isLarge).length;
  function change(part: Partial<Reason>): void {
    const next = { ...reason, ...part };
    setReason(next);
    keepReason(next);
  }
  const form = useSessionForm<Record<string, unknown>, PublishResult>({
    send(client, values) {
      const faults = needs ? faultsOf(reason, ready) : {};
      if (large > 0 && values.large !== "on") faults.large = "Please confirm the large changes";
      const [first] = Object.entries(faults);
      if (first) throw new FormError(first[1], { fields: [first[0]] });
      const why = needs ? reason : { code: STILL_RIGHT_CODE, note: "", evidence: "" };
      return withPicture(client, needs ? picture : null, (name) =>
        publishCells(client, ready, { ...why, picture: name }),
      );
    },
    async done(result) {
      keepReason(null);
      await onPublished(result);
    },
  });
  return { ...form, reason, change, picture, setPicture, needs, large };
}

/** What the database would refuse of a reason; no note is needed if every cell has its own. */
function faultsOf({ code, note, evidence }: Reason, ready: readonly ReadyCell[]): Record<string, string> {
  const isNoted = ready.every(({ key, edit }) => edit.note || partsOf(key).field === "checked");
  return {
    ...(code ? {} : { reason_code: "Choose a reason" }),
    ...(note.trim() || isNoted ? {} : { note: "Say why in a few words" }),
    ...(evidence.trim() === "" || isEvidence(evidence.trim())
      ? {}
      : { evidence_url: "Evidence is a link that begins with https://" }),
  };
}

/** More lines than anyone reads before publishing. */
const LINES = 200;

/** Whether a value would change by more than half. */
function isLarge({ key, edit }: ReadyCell): boolean {
  const { field } = partsOf(key);
  return field !== "checked" && !choicesOf(field) && !isRange(field) && isLargeChange(edit.was, edit.text);
}

/** Each cell before and after; changes of more than half come first. */
function PublishDiff({ cells, byId }: { cells: readonly ReadyCell[]; byId: ReadonlyMap<string, Item> }) {
  const lines = cells.toSorted((a, b) => Number(isLarge(b)) - Number(isLarge(a)));
  return (
    <ScrollRegion label="What would be published" className="grid-diff">
      <ul>
        {lines.slice(0, LINES).map((cell) => {
          const { id, field } = partsOf(cell.key);
          return (
            <li key={cell.key} data-large={isLarge(cell) || undefined}>
              <strong>{byId.get(id)?.name}</strong>
              <span className="text-muted">
                {GRID_COLUMNS.find((column) => column.field === field)?.label}
              </span>
              <span className="figures">{describe(cell)}</span>
              {cell.edit.note && <span className="text-muted">{cell.edit.note}</span>}
            </li>
          );
        })}
      </ul>
      {lines.length > LINES && <p className="text-muted">and {lines.length - LINES} more</p>}
    </ScrollRegion>
  );
}

function describe({ key, edit }: ReadyCell): string {
  const { field } = partsOf(key);
  if (field === "checked") return edit.text;
  if (choicesOf(field)) return `${showText(field, edit.was)} → ${showText(field, edit.text)}`;
  return describeChange(edit.was, edit.text);
}

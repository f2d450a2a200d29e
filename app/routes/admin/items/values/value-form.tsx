import { type KeyboardEvent, useRef } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { wordOptions } from "#app/routes/admin/items/choices.tsx";
import { ItemField } from "#app/routes/admin/items/edit/item-field.tsx";
import { focusField, useInitialFocus } from "#app/routes/admin/items/edit/use-initial-focus.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { DEMANDS } from "#domain/items/demand.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { describeChange } from "#domain/values/large-change.ts";
import { PictureField } from "./picture-field.tsx";
import { readOpenSets, readReasons, VALUE_FIELDS } from "./publish-values.ts";
import { useValueEdit } from "./use-value-edit.ts";

type ValueFormProps = {
  /** The current item; others may publish its values meanwhile. */
  item: Item;
  /** The field to focus first. */
  focus: string;
  onDone(): void;
};

const NO_SET = [["", "Publish now"]] as const;

/** An editor's form for an item's values, in the list: published, or added to a set, with a reason (P110). */
export function ValueForm({ item, focus, onDone }: ValueFormProps) {
  const edit = useValueEdit(item, onDone);
  const { form, button, isBusy, texts, change, changed, keep, cancel } = edit;
  const element = useRef<HTMLFormElement>(null);
  const { data: reasons = [] } = useRead(["value_reasons"], readReasons);
  const { data: sets = [] } = useRead(["value_sets", "drafts"], readOpenSets);
  useInitialFocus(element, focus);
  const common = (name: string, label = labelOf(name)) => ({
    name,
    label,
    value: texts[name] ?? "",
    onChange: (value: string | boolean) => change(name, value),
  });
  return (
    <Form
      {...form}
      ref={element}
      onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && !isBusy && cancel()}
      aria-label={`Edit ${item.name}`}
      className="item-form"
    >
      {changed.length > 0 && (
        <div role="alert" className="item-compare">
          <p className="font-semibold">
            {item.name} was changed in the meantime, by somebody else or in another window.
          </p>
          <p className="figures">
            {changed.map((field) => `${labelOf(field)} is ${item[field] ?? "empty"} now`).join(", ")}
          </p>
          <Button
            size="sm"
            onClick={() => {
              keep();
              focusField(element, changed[0]);
            }}
          >
            Go on with mine
          </Button>
        </div>
      )}
      <div className="item-grid">
        {VALUE_FIELDS.map((field) => (
          <ItemField
            key={field}
            {...common(field)}
            required={field === "current_value"}
            options={field === "demand" ? wordOptions(DEMANDS) : null}
            maxLength={COLUMN_LIMITS.items.current_value}
          >
            <Step before={item[field]} after={texts[field]} isWord={field === "demand"} />
          </ItemField>
        ))}
        <ItemField
          {...common("reason_code", "Reason")}
          required
          options={reasons.map(({ code, label }) => [code, label] as const)}
        />
        <ItemField
          {...common("note", "Note")}
          placeholder="Public, with each change"
          className="item-field-wide"
        />
        <ItemField {...common("evidence_url", "Evidence")} placeholder="https://…, where there is any" />
        <ItemField
          {...common("set_id", "When")}
          options={[...NO_SET, ...sets.map(({ id, name }) => [id, `With ${name}`] as const)]}
        />
        <PictureField picture={edit.picture} onChange={edit.setPicture} className="item-field-wide" />
      </div>
      <div className="item-foot">
        <span className="flex flex-wrap gap-2">
          <Button size="sm" variant="ghost" disabled={isBusy} onClick={cancel}>
            Cancel
          </Button>
          <Button {...button} size="sm" variant="primary" disabled={changed.length > 0}>
            {isBusy ? "Publishing…" : texts.set_id ? "Put into the set" : "Publish"}
          </Button>
        </span>
      </div>
    </Form>
  );
}

type StepProps = { before: string | null; after: string | boolean | undefined; isWord: boolean };

/** The size of the change, below its field. */
function Step({ before, after, isWord }: StepProps) {
  if (isWord || (before ?? "") === after) return null;
  return <span className="figures text-2xs text-muted">{describeChange(before, String(after))}</span>;
}

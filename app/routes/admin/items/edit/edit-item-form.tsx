import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { Item } from "#app/features/items/item-queries.ts";
import type { Catalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import type { ItemWrite } from "#domain/items/item-import.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { titled } from "#domain/text/words.ts";
import { describeChange, isLargeChange, LEDGERED } from "#domain/values/large-change.ts";
import { CompareEdits } from "./compare-edits.tsx";
import { ImageField } from "./image-field.tsx";
import { dropDraft } from "./item-drafts.ts";
import { ItemField } from "./item-field.tsx";
import { ItemFields } from "./item-fields.tsx";
import { focusField, useInitialFocus } from "./use-initial-focus.ts";
import { useItemEdit } from "./use-item-edit.ts";

type EditItemFormProps = {
  /** As it is now; another admin may change it while it is edited. */
  item: Item;
  catalogue: Catalogue;
  /** The field to focus first. */
  focus: string;
  onSaved(item: Item): void;
  /** Called with the stored item if it was changed elsewhere. */
  onConflict(item: Item): void;
  onGone(): void;
  onCancel(): void;
};

/** Edits an item in its place in the list (4.adminedit.01, .02). Another admin's edit is never overwritten. */
export function EditItemForm({ focus, onCancel, ...props }: EditItemFormProps) {
  const { item, catalogue } = props;
  const { categories, definitions } = catalogue;
  const element = useRef<HTMLFormElement>(null);
  const large = useLargeChanges(item, element);
  const edit = useItemEdit({ ...props, definitions, accept: large.accept });
  const { form, button, isBusy, state, base, reason, differences } = edit;
  useInitialFocus(element, focus);

  function cancel() {
    state.chooseFile(null);
    dropDraft(item.id);
    onCancel();
  }

  return (
    <Form
      {...form}
      ref={element}
      onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && !large.asked && !isBusy && cancel()}
      aria-label={`Edit ${item.name}`}
      className="item-form"
    >
      {differences.length > 0 && (
        <CompareEdits
          name={item.name}
          differences={differences}
          labelOf={(field) => labelOf(field, definitions)}
          showValue={(field, value) => showValue(field, value, catalogue)}
          theirs={edit.stored}
          onTake={(merged) => {
            edit.takeOver(merged);
            focusField(element, differences[0]?.field);
          }}
        />
      )}
      <div className="item-grid">
        <ItemFields
          {...{ texts: state.texts, categories, definitions, before: base.texts }}
          onChange={state.change}
        />
        <ItemField
          name="change_reason"
          label="Reason for the change"
          placeholder="Public, with each changed value"
          value={reason}
          maxLength={COLUMN_LIMITS.items.change_reason}
          onChange={(value) => edit.setReason(String(value))}
          className="item-field-wide"
        />
      </div>
      <div className="item-foot">
        <ImageField state={state} disabled={isBusy} />
        <span className="flex flex-wrap gap-2">
          <Button size="sm" variant="ghost" disabled={isBusy} onClick={cancel}>
            Cancel
          </Button>
          <Button {...button} size="sm" variant="primary" disabled={differences.length > 0}>
            {state.isUploading ? "Uploading..." : isBusy ? "Saving…" : "Save"}
          </Button>
        </span>
      </div>
      <LargeChangeDialog {...large} name={item.name} isBusy={isBusy} />
    </Form>
  );
}

/** Fields whose stored words are shown with the form's labels. */
const WORDS: ReadonlySet<string> = new Set(["rarity", "type", "demand"]);

function showValue(field: string, value: unknown, { categories }: Catalogue): ReactNode {
  if (field === "image_url" && value) return <ItemImage src={String(value)} alt="Picture" size={48} eager />;
  if (field === "category_id") return categories.find(({ id }) => id === value)?.name ?? "none";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (WORDS.has(field)) return titled(String(value));
  return String(value ?? "") || "empty";
}

type ItemInput = Omit<ItemWrite, "image_url">;

/** Asks for confirmation before a form is saved that changes values by more than half. */
function useLargeChanges(item: Item, form: RefObject<HTMLFormElement | null>) {
  const [asked, setAsked] = useState<string[] | null>(null);
  const isConfirmed = useRef(false);
  return {
    /** The changes in question; null while nothing is asked. */
    asked,
    accept(write: ItemInput): boolean {
      const large = isConfirmed.current ? [] : findLargeChanges(item, write);
      isConfirmed.current = false;
      if (large.length > 0) setAsked(large);
      return large.length === 0;
    },
    onConfirm() {
      setAsked(null);
      isConfirmed.current = true;
      form.current?.requestSubmit();
    },
    onClose: () => setAsked(null),
  };
}

function findLargeChanges(item: Item, write: ItemInput): string[] {
  return LEDGERED.filter((column) => isLargeChange(item[column], write[column])).map(
    (column) => `${labelOf(column)}: ${describeChange(item[column], write[column])}`,
  );
}

type LargeChangeDialogProps = Omit<ReturnType<typeof useLargeChanges>, "accept"> & {
  name: string;
  isBusy: boolean;
};

function LargeChangeDialog({ asked, name, ...props }: LargeChangeDialogProps) {
  return (
    <ConfirmDialog
      {...props}
      open={asked !== null}
      title={`Change ${name} by more than half?`}
      confirm="Change it"
    >
      <ul className="figures">
        {asked?.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

import { useEffect, useRef, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import type { ItemPatch } from "#app/routes/admin/items/admin-item-queries.ts";
import { labelOf } from "#app/routes/admin/items/field-labels.ts";
import type { Catalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import type { ItemWrite } from "#domain/items/item-import.ts";
import { compareEdits } from "#domain/items/merge-edits.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { titled } from "#domain/text/words.ts";
import { describeChange, isLargeChange } from "#domain/values/large-change.ts";
import { CompareEdits } from "./compare-edits.tsx";
import { ImageField } from "./image-field.tsx";
import { dropDraft, findDraft, keepDraft } from "./item-drafts.ts";
import { ItemField } from "./item-field.tsx";
import { ItemFields } from "./item-fields.tsx";
import { type FormTexts, itemFormSchema, storedTexts } from "./item-texts.ts";
import { saveItem } from "./save-item.ts";
import { useItemTexts } from "./use-item-texts.ts";

type EditItemFormProps = {
  /** As it is now; another admin may change it while it is edited. */
  item: Item;
  catalogue: Catalogue;
  /** The field to begin with. */
  focus: string;
  onSaved(item: Item): void;
  /** What the database has instead of what was edited. */
  onNews(item: Item): void;
  onGone(): void;
  onCancel(): void;
};

const REASON_MAX = COLUMN_LIMITS.items.change_reason;
const PREVIOUS = ["previous_value", "permanent_previous_value"] as const;

/** An item being edited in its place in the list (4.adminedit.01, .02). Nothing is written over another admin's edit. */
export function EditItemForm(props: EditItemFormProps) {
  const { item, catalogue, onSaved, onNews, onGone } = props;
  const { categories, definitions } = catalogue;
  const stored = storedTexts(item, definitions);
  const [draft] = useState(() => findDraft(item.id));
  const [base, setBase] = useState(() => draft?.base ?? { updated_at: item.updated_at, texts: stored });
  const state = useItemTexts(draft ? { ...stored, ...draft.texts } : stored);
  const { texts, file } = state;
  const element = useRef<HTMLFormElement>(null);
  const isConfirmed = useRef(false);
  const [asked, setAsked] = useState<string[] | null>(null);
  const [reason, setReason] = useState("");
  const { form, button, isBusy } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: itemFormSchema(definitions, item),
    values: texts,
    accept(write) {
      const large = isConfirmed.current ? [] : findLargeChanges(item, write);
      isConfirmed.current = false;
      if (large.length > 0) setAsked(large);
      return large.length === 0;
    },
    send(client, write) {
      const patch: ItemPatch & { slug: string } = { ...write, change_reason: reason.trim() || null };
      // A previous value that nobody touched is left to follow its value.
      for (const column of PREVIOUS) if (texts[column] === base.texts[column]) delete patch[column];
      const from = { id: item.id, updated_at: base.updated_at };
      return saveItem(client, from, patch, state.image, state.uploads);
    },
    done(result) {
      if ("theirs" in result) return onNews(result.theirs);
      if ("isGone" in result) return onGone();
      dropDraft(item.id);
      showToast({ title: "Item updated" });
      onSaved(result.saved);
    },
  });
  // While it is being saved, the list may show the saved state before the answer is here.
  const isStale = !isBusy && item.updated_at !== base.updated_at;
  const differences = isStale ? compareEdits(base.texts, texts, stored) : [];
  const isTyped = file !== null || compareEdits(texts, texts, base.texts).length > 0;

  useKeptDraft(item.id, isTyped, texts, base);
  useFirstFocus(element, props.focus);
  // Where nobody has to choose, the edit goes on from what is there now.
  useEffect(() => {
    if (isStale && differences.length === 0) setBase({ updated_at: item.updated_at, texts: stored });
    else if (isStale && !isTyped) takeOver(stored);
  });

  function takeOver(merged: FormTexts) {
    state.setTexts(merged);
    setBase({ updated_at: item.updated_at, texts: stored });
  }

  function confirm() {
    setAsked(null);
    isConfirmed.current = true;
    element.current?.requestSubmit();
  }

  function cancel() {
    state.chooseFile(null);
    dropDraft(item.id);
    props.onCancel();
  }

  return (
    <Form
      {...form}
      ref={element}
      onKeyDown={(event) => event.key === "Escape" && !asked && cancel()}
      aria-label={`Edit ${item.name}`}
      className="item-form"
    >
      {differences.length > 0 && (
        <CompareEdits
          name={item.name}
          differences={differences}
          labelOf={(field) => labelOf(field, definitions)}
          showValue={(field, value) => showValue(field, value, catalogue)}
          theirs={stored}
          onTake={takeOver}
        />
      )}
      <div className="item-grid">
        <ItemFields {...{ texts, categories, definitions, before: base.texts }} onChange={state.change} />
        <ItemField
          name="change_reason"
          label="Reason for the change"
          placeholder="Public, with each changed value"
          value={reason}
          maxLength={REASON_MAX}
          onChange={(value) => setReason(String(value))}
          className="item-field-wide"
        />
      </div>
      <div className="item-foot">
        <ImageField
          file={file}
          address={String(texts.image_url)}
          onChoose={state.chooseFile}
          onRemove={() => state.change("image_url", "")}
        />
        <span className="flex flex-wrap gap-2">
          <Button size="sm" variant="ghost" disabled={isBusy} onClick={cancel}>
            Cancel
          </Button>
          <Button {...button} size="sm" variant="primary" disabled={differences.length > 0}>
            {state.isUploading ? "Uploading..." : isBusy ? "Saving…" : "Save"}
          </Button>
        </span>
      </div>
      <ConfirmDialog
        open={asked !== null}
        title={`Change ${item.name} by more than half?`}
        confirm="Change it"
        isBusy={isBusy}
        onConfirm={confirm}
        onClose={() => setAsked(null)}
      >
        <ul className="figures">
          {asked?.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </Form>
  );
}

/** The values that would move by more than half, as they are asked about. */
function findLargeChanges(item: Item, write: Omit<ItemWrite, "image_url">): string[] {
  return (["current_value", "permanent_value"] as const)
    .filter((column) => isLargeChange(item[column], write[column]))
    .map((column) => `${labelOf(column)}: ${describeChange(item[column], write[column])}`);
}

/** Stored as words of a fixed list, and shown as the form calls them. */
const WORDS: ReadonlySet<string> = new Set(["rarity", "type", "demand"]);

function showValue(field: string, value: unknown, { categories }: Catalogue): string {
  if (field === "category_id") return categories.find(({ id }) => id === value)?.name ?? "none";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (WORDS.has(field)) return titled(String(value));
  return String(value ?? "") || "empty";
}

function useKeptDraft(
  id: string,
  isTyped: boolean,
  texts: FormTexts,
  base: { updated_at: string; texts: FormTexts },
): void {
  useEffect(() => {
    if (isTyped) keepDraft(id, { texts, base });
    else dropDraft(id);
  }, [id, isTyped, texts, base]);
}

function useFirstFocus(form: React.RefObject<HTMLFormElement | null>, name: string): void {
  const first = useRef(name).current;
  useEffect(() => {
    const field = form.current?.elements.namedItem(first);
    form.current?.scrollIntoView({ block: "nearest" });
    if (field instanceof HTMLInputElement) field.select();
  }, [form, first]);
}

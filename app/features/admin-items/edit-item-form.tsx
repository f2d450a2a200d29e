import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import type { ItemWrite } from "#domain/item-import.ts";
import { describeChange, isLargeChange } from "#domain/large-change.ts";
import { compareEdits } from "#domain/merge-edits.ts";
import { titled } from "#domain/words.ts";
import { ConfirmDialog } from "../admin/confirm-dialog.tsx";
import { CompareEdits } from "./compare-edits.tsx";
import { labelOf } from "./field-labels.ts";
import { ImageField } from "./image-field.tsx";
import { dropDraft, findDraft, keepDraft } from "./item-drafts.ts";
import { ItemField } from "./item-field.tsx";
import { ItemFields } from "./item-fields.tsx";
import { type FormTexts, readTexts, storedTexts } from "./item-texts.ts";
import { saveItem } from "./save-item.ts";
import type { Catalogue } from "./use-catalogue.ts";
import { useItemForm } from "./use-item-form.ts";

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

const REASON_MAX = 200;

/** An item being edited in its place in the list (4.adminedit.01, .02). Nothing is written over another admin's edit. */
export function EditItemForm(props: EditItemFormProps) {
  const { item, catalogue, onSaved, onNews, onGone } = props;
  const { categories, definitions } = catalogue;
  const stored = storedTexts(item, definitions);
  const [draft] = useState(() => findDraft(item.id));
  const [base, setBase] = useState(() => draft?.base ?? { updated_at: item.updated_at, texts: stored });
  const state = useItemForm(draft ? { ...stored, ...draft.texts } : stored);
  const { form, texts, faults, file, busy } = state;
  const [asked, setAsked] = useState<string[] | null>(null);
  const [reason, setReason] = useState("");
  const isStale = item.updated_at !== base.updated_at;
  const differences = isStale ? compareEdits(base.texts, texts, stored) : [];
  const isTyped = file !== null || compareEdits(texts, texts, base.texts).length > 0;

  useKeptDraft(item.id, isTyped, texts, base);
  useFirstFocus(form, props.focus);
  // Where nobody has to choose, the edit goes on from what is there now.
  useEffect(() => {
    if (isStale && differences.length === 0) setBase({ updated_at: item.updated_at, texts: stored });
    else if (isStale && !isTyped) takeOver(stored);
  });

  function takeOver(merged: FormTexts) {
    state.setTexts(merged);
    setBase({ updated_at: item.updated_at, texts: stored });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const reading = readTexts(texts, definitions, item);
    if (!reading.ok) return state.refuse(reading.faults);
    const large = findLargeChanges(item, reading.item);
    if (large.length > 0) setAsked(large);
    else void save(reading.item);
  }

  async function save(write: Omit<ItemWrite, "image_url">) {
    setAsked(null);
    await state.run(async (client) => {
      const patch = { ...write, change_reason: reason.trim() || null };
      const from = { id: item.id, updated_at: base.updated_at };
      const result = await saveItem(client, from, patch, state.image, state.uploads);
      if ("saved" in result) {
        dropDraft(item.id);
        showToast({ title: "Item updated" });
        onSaved(result.saved);
      } else if ("theirs" in result) onNews(result.theirs);
      else onGone();
    });
  }

  function cancel() {
    state.chooseFile(null);
    dropDraft(item.id);
    props.onCancel();
  }

  return (
    <form
      ref={form}
      onSubmit={submit}
      onKeyDown={(event) => event.key === "Escape" && !asked && cancel()}
      noValidate
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
        <ItemFields
          {...{ texts, faults, categories, definitions, before: base.texts }}
          onChange={state.change}
        />
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
          <Button size="sm" variant="ghost" disabled={busy !== null} onClick={cancel}>
            Cancel
          </Button>
          <Button
            size="sm"
            type="submit"
            variant="primary"
            disabled={busy !== null || differences.length > 0}
          >
            {busy === "uploading" ? "Uploading..." : busy ? "Saving…" : "Save"}
          </Button>
        </span>
      </div>
      <ConfirmDialog
        open={asked !== null}
        title={`Change ${item.name} by more than half?`}
        confirm="Change it"
        isBusy={busy !== null}
        onConfirm={() => {
          const reading = readTexts(texts, definitions, item);
          if (reading.ok) void save(reading.item);
        }}
        onClose={() => setAsked(null)}
      >
        <ul className="figures">
          {asked?.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </form>
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

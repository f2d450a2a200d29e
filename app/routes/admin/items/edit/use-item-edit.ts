import { useEffect, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import type { ItemPatch } from "#app/routes/admin/items/admin-item-queries.ts";
import type { FieldDefinition } from "#app/routes/admin/shared/field-definitions.ts";
import { holds } from "#app/routes/admin/shared/holds.ts";
import { useRowForm } from "#app/routes/admin/shared/use-row-form.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import type { ItemWrite } from "#domain/items/item-import.ts";
import { compareEdits, mergeEdits } from "#domain/items/merge-edits.ts";
import { usePreview } from "./file-button.tsx";
import { dropDraft, findDraft, useKeptDraft } from "./item-drafts.ts";
import { type FormTexts, itemFormSchema, storedTexts } from "./item-texts.ts";
import { saveItem, withImage } from "./save-item.ts";
import { type SentEdit, sentEdit, sinceSent } from "./sent-edit.ts";
import { useItemTexts } from "./use-item-texts.ts";

type ItemEdit = {
  item: Item;
  definitions: readonly FieldDefinition[];
  accept(write: Omit<ItemWrite, "image_url">): boolean;
  onSaved(item: Item): void;
  onConflict(item: Item): void;
  onGone(): void;
};

const PREVIOUS = ["previous_value", "permanent_previous_value"] as const;

/** The texts of an item being edited: kept as a draft, compared with what others save meanwhile, and saved. */
export function useItemEdit({ item, definitions, accept, onSaved, onConflict, onGone }: ItemEdit) {
  const stored = storedTexts(item, definitions);
  const [draft] = useState(() => findDraft(item.id));
  const state = useItemTexts(draft ? { ...stored, ...draft.texts } : stored);
  const [reason, setReason] = useState(draft?.reason ?? "");
  const [sent, setSent] = useState<readonly SentEdit[]>(draft?.sent ?? []);
  const { texts, uploads } = state;
  const row = { id: item.id, updated_at: item.updated_at, texts: stored };
  const {
    base,
    isStale,
    keep: keepMine,
    ...form
  } = useRowForm(row, {
    begun: draft?.base ? { id: item.id, ...draft.base } : undefined,
    schema: itemFormSchema(definitions, item),
    values: texts,
    accept,
    send(client, from, write) {
      const patch: ItemPatch & { slug: string } = { ...write, change_reason: reason.trim() || null };
      // An unchanged previous value follows its value.
      for (const column of PREVIOUS) if (texts[column] === from.texts[column]) delete patch[column];
      return withImage(client, state.image, uploads, async (image_url) => {
        const attempt = sentEdit(from.texts, texts, { ...patch, image_url });
        setSent([...sent, attempt]);
        const result = await saveItem(client, from, { ...patch, image_url });
        if (!("theirs" in result)) return result;
        const { theirs } = result;
        if (holds(theirs, attempt.columns)) return { saved: theirs };
        const own = sent.find(({ columns }) => holds(theirs, columns));
        return own ? saveItem(client, theirs, { ...sinceSent(patch, own, texts), image_url }) : result;
      });
    },
    done(result) {
      if ("theirs" in result) return onConflict(result.theirs);
      if ("isGone" in result) return onGone();
      dropDraft(item.id);
      showToast({ title: "Item updated" });
      onSaved(result.saved);
    },
  });
  // Saved by an attempt whose answer was lost.
  const own = isStale && sent.find(({ columns }) => holds(item, columns));
  // A check, or a restore from the archive, is a newer state with the same texts.
  const isOther = isStale && !own && compareEdits(base.texts, base.texts, stored).length > 0;
  // A chosen file counts as this edit's image, by its preview address.
  const preview = usePreview(state.file);
  const mine = preview ? { ...texts, image_url: preview } : texts;
  const differences = isOther ? compareEdits(base.texts, mine, stored) : [];
  const isTyped = state.file !== null || compareEdits(texts, texts, base.texts).length > 0;
  const { id, ...begun } = base;
  useKeptDraft(id, isTyped || reason ? { texts, base: begun, reason, sent } : null);

  /** Continues from the stored state; earlier attempts are settled with it. */
  function keep() {
    keepMine();
    setSent([]);
  }
  function takeOver(merged: FormTexts) {
    const isMine = preview !== null && merged.image_url === preview;
    if (!isMine) state.chooseFile(null);
    state.setTexts(isMine ? { ...merged, image_url: stored.image_url ?? "" } : merged);
    keep();
  }
  /** Goes on from what was saved, with what was typed since. */
  function goOn({ texts: saved }: SentEdit) {
    if (state.file && uploads.uploaded.get(state.file) === stored.image_url) state.chooseFile(null);
    const typed = new Set(Object.keys(texts));
    state.setTexts(mergeEdits(compareEdits(saved, texts, stored), stored, typed) as FormTexts);
    keep();
  }
  // If there is nothing to choose, the edit continues from the stored state.
  useEffect(() => {
    if (own) goOn(own);
    else if (isStale && differences.length === 0) keep();
    else if (isStale && !isTyped) takeOver(stored);
  });
  return { ...form, state, stored, base, reason, setReason, differences, takeOver };
}

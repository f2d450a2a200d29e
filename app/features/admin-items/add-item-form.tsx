import { type FormEvent, useEffect, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { ImageField } from "./image-field.tsx";
import { dropDraft, findDraft, keepDraft } from "./item-drafts.ts";
import { ItemFields } from "./item-fields.tsx";
import { type FormTexts, newTexts, readTexts } from "./item-texts.ts";
import { addItem } from "./save-item.ts";
import type { Catalogue } from "./use-catalogue.ts";
import { useItemForm } from "./use-item-form.ts";

type AddItemFormProps = { catalogue: Catalogue; onAdded(item: Item): void };

/** Adding an item; after each one a fresh form with the defaults (4.form.01 to .03). */
export function AddItemForm({ catalogue, onAdded }: AddItemFormProps) {
  const [count, setCount] = useState(0);
  function added(item: Item) {
    dropDraft("new");
    onAdded(item);
    setCount(count + 1);
  }
  return <FreshForm key={count} catalogue={catalogue} onAdded={added} hasFocus={count > 0} />;
}

function FreshForm({ catalogue, onAdded, hasFocus }: AddItemFormProps & { hasFocus: boolean }) {
  const { categories, definitions } = catalogue;
  const defaults = newTexts(definitions);
  const state = useItemForm({ ...defaults, ...findDraft("new")?.texts });
  const { form, texts, faults, file, busy } = state;
  const isTyped = isDifferent(texts, defaults);
  const isTouched = isTyped || file !== null;

  useEffect(() => {
    if (hasFocus) (form.current?.elements.namedItem("name") as HTMLElement | null)?.focus();
  }, [hasFocus, form]);
  useEffect(() => {
    if (isTyped) keepDraft("new", { texts, base: null });
    else dropDraft("new");
  }, [isTyped, texts]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const reading = readTexts(texts, definitions);
    if (!reading.ok) return state.refuse(reading.faults);
    void state.run(async (client) => {
      const item = await addItem(client, reading.item, state.image, state.uploads);
      showToast({ title: "Item created" });
      onAdded(item);
    });
  }

  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Add New Item" className="item-form">
      <div className="item-grid">
        <ItemFields {...{ texts, faults, categories, definitions }} onChange={state.change} />
      </div>
      <div className="item-foot">
        <ImageField
          file={file}
          address=""
          onChoose={state.chooseFile}
          onRemove={() => state.change("image_url", "")}
        />
        <span className="flex flex-wrap gap-2">
          {isTouched && !busy && (
            <Button size="sm" variant="ghost" onClick={() => state.startAnew(defaults)}>
              Clear
            </Button>
          )}
          <Button size="sm" type="submit" variant="primary" disabled={busy !== null}>
            {busy === "uploading" ? "Uploading..." : busy ? "Adding…" : "Add Item"}
          </Button>
        </span>
      </div>
    </form>
  );
}

function isDifferent(texts: FormTexts, from: FormTexts): boolean {
  return Object.keys(texts).some((field) => texts[field] !== from[field]);
}

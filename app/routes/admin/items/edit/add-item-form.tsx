import { useEffect, useRef, useState } from "react";
import { useRefresh } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { findItem } from "#app/routes/admin/items/admin-item-queries.ts";
import type { Catalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { useRepeatable } from "#app/routes/admin/shared/use-repeatable.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { dismissToast, showToast } from "#app/ui/toast/toast-store.ts";
import type { ItemWrite } from "#domain/items/item-import.ts";
import { ImageField } from "./image-field.tsx";
import { dropDraft, findDraft, useKeptDraft } from "./item-drafts.ts";
import { ItemFields } from "./item-fields.tsx";
import { type FormTexts, itemFormSchema, newTexts } from "./item-texts.ts";
import { addItem } from "./save-item.ts";
import { useItemTexts } from "./use-item-texts.ts";

/** Adds an item; after each one the form is reset to the defaults (4.form.01 to .03). */
export function AddItemForm({ catalogue }: { catalogue: Catalogue }) {
  const refresh = useRefresh();
  const [count, setCount] = useState(0);
  function added() {
    dropDraft("new");
    void refresh("items");
    setCount(count + 1);
  }
  return <FreshForm key={count} catalogue={catalogue} onAdded={added} hasFocus={count > 0} />;
}

type NewItem = Omit<ItemWrite, "image_url">;

type FreshFormProps = { catalogue: Catalogue; onAdded(): void; hasFocus: boolean };

function FreshForm({ catalogue, onAdded, hasFocus }: FreshFormProps) {
  const { categories, definitions } = catalogue;
  const defaults = newTexts(definitions);
  const state = useItemTexts({ ...defaults, ...findDraft("new")?.texts });
  const { texts, file } = state;
  const element = useRef<HTMLFormElement>(null);
  const { send } = useRepeatable({
    add: (client, item: NewItem, isRepeat) => addItem(client, item, state.image, state.uploads, isRepeat),
    find: (client, { slug }) => findItem(client, { slug }),
  });
  const { form, button, isBusy, setFaults } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: itemFormSchema(definitions),
    values: texts,
    send,
    done() {
      showToast({ title: "Item created" });
      onAdded();
    },
  });
  const isTyped = isDifferent(texts, defaults);
  const isTouched = isTyped || file !== null;

  useEffect(() => {
    if (hasFocus) (element.current?.elements.namedItem("name") as HTMLElement | null)?.focus();
  }, [hasFocus]);
  useKeptDraft("new", isTyped ? { texts, base: null } : null);

  function clear() {
    state.setTexts(defaults);
    state.chooseFile(null);
    setFaults({});
    dismissToast();
  }

  return (
    <Form {...form} ref={element} aria-label="Add New Item" className="item-form">
      <div className="item-grid">
        <ItemFields {...{ texts, categories, definitions }} onChange={state.change} />
      </div>
      <div className="item-foot">
        <ImageField state={state} disabled={isBusy} />
        <span className="flex flex-wrap gap-2">
          {isTouched && !isBusy && (
            <Button size="sm" variant="ghost" onClick={clear}>
              Clear
            </Button>
          )}
          <Button {...button} size="sm" variant="primary">
            {state.isUploading ? "Uploading..." : isBusy ? "Adding…" : "Add Item"}
          </Button>
        </span>
      </div>
    </Form>
  );
}

function isDifferent(texts: FormTexts, from: FormTexts): boolean {
  return Object.keys(texts).some((field) => texts[field] !== from[field]);
}

import { type ChangeEvent, useEffect, useId, useState } from "react";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { prepareImage } from "./prepare-image.ts";
import type { useItemTexts } from "./use-item-texts.ts";

/** The image of an item: chosen, seen before it is saved, and uploaded with the save (4.upload.01 to .03). */
export function ImageField({ state }: { state: ReturnType<typeof useItemTexts> }) {
  const { file, texts, chooseFile, change } = state;
  const address = String(texts.image_url);
  const id = useId();
  const preview = usePreview(file);
  const has = file !== null || address !== "";

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const chosen = target.files?.[0];
    // The same file can be chosen again after it was refused or removed.
    target.value = "";
    if (!chosen) return;
    const prepared = await prepareImage(chosen);
    if ("file" in prepared) chooseFile(prepared.file);
    else showToast({ ...prepared.refusal, variant: "destructive" });
  }

  return (
    <div className="item-image">
      <ItemImage
        src={preview ?? (address || null)}
        alt={file ? "Preview of the chosen image" : ""}
        size={80}
        eager
      />
      <div className="grid gap-1.5">
        <label htmlFor={id} className={`${buttonClass("secondary", "sm")} item-file`}>
          {has ? "Replace image" : "Choose image"}
          <input
            id={id}
            name="image"
            type="file"
            aria-label="Image"
            accept="image/jpeg,image/png,image/webp,image/gif"
            className="sr-only"
            onChange={(event) => void choose(event)}
          />
        </label>
        {has && (
          <button
            type="button"
            className="link min-h-6 cursor-pointer justify-self-start text-2xs"
            onClick={() => (file ? chooseFile(null) : change("image_url", ""))}
          >
            {file ? "Don't use this file" : "Remove image"}
          </button>
        )}
      </div>
    </div>
  );
}

/** An address of a file in this browser, for as long as it is shown. */
function usePreview(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return setAddress(null);
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

import { useRef } from "react";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { FileButton, usePreview } from "./file-button.tsx";
import { prepareImage } from "./prepare-image.ts";
import type { useItemTexts } from "./use-item-texts.ts";

/** An item's image: chosen, previewed, and uploaded on save (4.upload.01 to .03). */
export function ImageField({ state }: { state: ReturnType<typeof useItemTexts> }) {
  const { file, texts, chooseFile, change } = state;
  const address = String(texts.image_url);
  const preview = usePreview(file);
  const has = file !== null || address !== "";

  const latest = useRef<File>(null);

  async function choose(chosen: File) {
    latest.current = chosen;
    const prepared = await prepareImage(chosen);
    // Another file was chosen while a large one was being prepared.
    if (latest.current !== chosen) return;
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
        <FileButton
          label="Image"
          name="image"
          accept="image/jpeg,image/png,image/webp,image/gif"
          onChoose={(chosen) => void choose(chosen)}
        >
          {has ? "Replace image" : "Choose image"}
        </FileButton>
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

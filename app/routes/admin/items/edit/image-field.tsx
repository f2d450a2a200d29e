import { ItemImage } from "#app/features/items/item-image.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { type ImageRefusal, type ImageType, judgeImage } from "#domain/items/image-type.ts";
import { FileButton, usePreview } from "./file-button.tsx";
import type { useItemTexts } from "./use-item-texts.ts";

type ImageFieldProps = { state: ReturnType<typeof useItemTexts>; disabled: boolean };

/** An item's image: chosen, previewed, and uploaded on save (4.upload.01 to .03). */
export function ImageField({ state, disabled }: ImageFieldProps) {
  const { file, texts, chooseFile, change } = state;
  const address = String(texts.image_url);
  const preview = usePreview(file);
  const has = file !== null || address !== "";

  async function choose(chosen: File, isLatest: () => boolean) {
    const prepared = await prepareImage(chosen);
    if (!isLatest()) return false;
    if ("file" in prepared) chooseFile(prepared.file);
    else showToast({ ...prepared.refusal, variant: "destructive" });
    return "file" in prepared;
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
          disabled={disabled}
          accept="image/jpeg,image/png,image/webp,image/gif"
          onChoose={choose}
        >
          {has ? "Replace image" : "Choose image"}
        </FileButton>
        {has && (
          <button
            type="button"
            disabled={disabled}
            className="link min-h-(--control) cursor-pointer justify-self-start text-2xs"
            onClick={() => (file ? chooseFile(null) : change("image_url", ""))}
          >
            {file ? "Don't use this file" : "Remove image"}
          </button>
        )}
      </div>
    </div>
  );
}

/** Images are shown at up to 512 CSS pixels. */
const MAX_SIDE = 1024;
/** Signatures of metadata by cameras and programs, which do not belong on a public page. */
const METADATA = /Exif|eXIf|EXIF|XMP |ns\.adobe\.com\/xap|tEXt|iTXt|zTXt/;
/** Animated images would lose their animation on a canvas. */
const MOVING = /ANIM|acTL/;

const UNREADABLE: ImageRefusal = {
  title: "Invalid File Type",
  description: "This picture can't be read: the file is damaged, or too large to draw",
};

/** A chosen file, ready to upload: smaller and without metadata where possible (P38). */
async function prepareImage(file: File): Promise<{ file: File } | { refusal: ImageRefusal }> {
  const judged = judgeImage(file.size, new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  if ("refusal" in judged) return judged;
  const { type } = judged;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder("latin1").decode(bytes);
  const known = new File([bytes], file.name, { type });
  const picture = await createImageBitmap(known).catch(() => null);
  if (!picture) return { refusal: UNREADABLE };
  const isMoving = type === "image/gif" || MOVING.test(text);
  const smaller = isMoving ? null : await encodeAgain(picture, type).catch(() => null);
  picture.close();
  const isBetter = smaller !== null && (smaller.size < known.size || METADATA.test(text));
  return { file: isBetter ? new File([smaller], file.name, { type }) : known };
}

/** Re-encodes an image in the same type, at most 1024 px a side; null if the browser cannot encode that type. */
async function encodeAgain(picture: ImageBitmap, type: ImageType): Promise<Blob | null> {
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  );
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await canvas.convertToBlob({ type, quality: 0.9 });
  return blob.type === type ? blob : null;
}

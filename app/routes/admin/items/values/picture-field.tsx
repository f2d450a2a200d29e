import { useId } from "react";
import { FileButton, usePreview } from "#app/routes/admin/items/edit/file-button.tsx";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { prepareScreenshot } from "./evidence-files.ts";

type PictureFieldProps = { picture: Blob | null; onChange(picture: Blob | null): void; className?: string };

/** A screenshot as evidence, previewed before it is sent; others see it once a second person approved it (P151). */
export function PictureField({ picture, onChange, className = "" }: PictureFieldProps) {
  const id = useId();
  const preview = usePreview(picture);

  async function choose(chosen: File, isLatest: () => boolean) {
    const prepared = await prepareScreenshot(chosen);
    if (!isLatest()) return false;
    if (prepared) onChange(prepared);
    else
      showToast({
        title: "This isn't a picture",
        description: "Please choose a JPEG, PNG or WebP picture.",
        variant: "destructive",
      });
    return prepared !== null;
  }

  return (
    <div className={`grid justify-items-start gap-2 ${className}`}>
      <div className="flex flex-wrap items-center gap-3">
        {preview && (
          <img
            src={preview}
            alt="The chosen screenshot"
            width={96}
            height={64}
            className="h-16 w-24 rounded-md object-cover"
          />
        )}
        <FileButton
          label="Screenshot"
          name="screenshot"
          describedBy={`${id}-note`}
          accept="image/jpeg,image/png,image/webp"
          onChoose={choose}
        >
          {picture ? "Another screenshot" : "Add a screenshot"}
        </FileButton>
        {picture && (
          <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
            Remove it
          </Button>
        )}
      </div>
      <p id={`${id}-note`} className="text-2xs text-muted">
        Public once a second person has allowed it. No names of players, please.
      </p>
    </div>
  );
}

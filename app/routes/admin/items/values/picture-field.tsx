import { type ChangeEvent, useEffect, useId, useState } from "react";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { prepareScreenshot } from "./evidence-files.ts";
import "#app/routes/admin/items/edit/item-form.css";

type PictureFieldProps = { picture: Blob | null; onChange(picture: Blob | null): void; className?: string };

/** A screenshot as evidence, seen before it is sent; others see it once a second person allowed it (P151). */
export function PictureField({ picture, onChange, className = "" }: PictureFieldProps) {
  const id = useId();
  const preview = usePreview(picture);

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const chosen = target.files?.[0];
    // The same file can be chosen again after it was refused or removed.
    target.value = "";
    if (!chosen) return;
    const prepared = await prepareScreenshot(chosen);
    if (prepared) onChange(prepared);
    else
      showToast({
        title: "This is no picture",
        description: "Please choose a JPEG, PNG or WebP picture.",
        variant: "destructive",
      });
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
        <label htmlFor={id} className={`${buttonClass("secondary", "sm")} item-file`}>
          {picture ? "Another screenshot" : "Add a screenshot"}
          <input
            id={id}
            name="screenshot"
            type="file"
            aria-label="Screenshot"
            aria-describedby={`${id}-note`}
            accept="image/jpeg,image/png,image/webp"
            className="sr-only"
            onChange={(event) => void choose(event)}
          />
        </label>
        {picture && (
          <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
            Without it
          </Button>
        )}
      </div>
      <p id={`${id}-note`} className="text-2xs text-muted">
        Public once a second person has allowed it. No names of players, please.
      </p>
    </div>
  );
}

/** An address of a picture in this browser, for as long as it is shown. */
function usePreview(picture: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!picture) return setAddress(null);
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return address;
}

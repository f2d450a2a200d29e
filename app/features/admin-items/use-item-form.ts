import { useEffect, useRef, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { dismissToast, showToast } from "#app/ui/toast-store.ts";
import type { ItemFaults } from "#domain/item-input.ts";
import { discardItemImage } from "./item-image-files.ts";
import type { FormTexts } from "./item-texts.ts";
import { type ImageChoice, SlugTakenError, UploadError } from "./save-item.ts";

/** What the forms for adding and for editing an item have in common: texts, faults, image, and what keeps it busy. */
export function useItemForm(initial: FormTexts) {
  const site = useSiteConfig();
  const [texts, setTexts] = useState(initial);
  const [faults, setFaults] = useState<ItemFaults>({});
  const [file, setFile] = useState<File | null>(null);
  const [busy, setBusy] = useState<null | "saving" | "uploading">(null);
  const form = useRef<HTMLFormElement>(null);
  const uploaded = useRef(new WeakMap<File, string>()).current;

  // A field that was hidden when it was refused has nothing to focus.
  useEffect(() => {
    const [first] = Object.keys(faults);
    const field = first && form.current?.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
  }, [faults]);

  function change(field: string, value: string | boolean) {
    setTexts((now) => ({ ...now, [field]: value }));
    // The sentence goes while the text is being corrected.
    if (faults[field]) setFaults(({ [field]: _, ...others }) => others);
  }

  function refuse(found: ItemFaults) {
    setFaults(found);
    const description = Object.values(found)[0] ?? "";
    showToast({ title: "Validation Error", description, variant: "destructive" });
  }

  /** A failure is told; what was typed stays. */
  function fail(error: unknown) {
    if (error instanceof UploadError) {
      return showToast({ title: "Upload Failed", description: error.message, variant: "destructive" });
    }
    if (error instanceof SlugTakenError) setFaults({ slug: error.message });
    showFailure(error as Error);
  }

  /** One save at a time; true when it did not fail. */
  async function run(work: (client: Awaited<ReturnType<typeof openSession>>) => Promise<void>) {
    if (busy) return;
    setBusy("saving");
    try {
      await work(await openSession(site));
    } catch (error) {
      fail(error);
    } finally {
      setBusy(null);
    }
  }

  /** An upload that no save will use any more is taken back. */
  function chooseFile(next: File | null) {
    const address = file && uploaded.get(file);
    if (address) void openSession(site).then((client) => discardItemImage(client, address));
    setFile(next);
  }

  /** As if nothing had been typed, chosen or refused. */
  function startAnew(from: FormTexts) {
    setTexts(from);
    setFaults({});
    chooseFile(null);
    dismissToast();
  }

  const image: ImageChoice = file ? { file } : { address: String(texts.image_url || "") || null };
  const uploads = { uploaded, onUpload: (is: boolean) => setBusy(is ? "uploading" : "saving") };
  return {
    form,
    texts,
    setTexts,
    change,
    faults,
    startAnew,
    refuse,
    run,
    file,
    chooseFile,
    image,
    uploads,
    busy,
  };
}

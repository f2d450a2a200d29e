import { useRef, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { discardItemImage } from "./item-image-files.ts";
import type { FormTexts } from "./item-texts.ts";
import type { ImageChoice } from "./save-item.ts";

/** The input of the forms for adding and editing an item. */
export function useItemTexts(initial: FormTexts) {
  const site = useSiteConfig();
  const [texts, setTexts] = useState(initial);
  const [file, setFile] = useState<File | null>(null);
  const [isUploading, onUpload] = useState(false);
  const uploaded = useRef(new WeakMap<File, string>()).current;

  function change(field: string, value: string | boolean) {
    setTexts((now) => ({ ...now, [field]: value }));
  }

  /** Deletes an upload that no save will use. */
  function chooseFile(next: File | null) {
    const address = file && uploaded.get(file);
    if (address) void openSession(site).then((client) => discardItemImage(client, address));
    setFile(next);
  }

  const image: ImageChoice = file ? { file } : { address: String(texts.image_url || "") || null };
  return { texts, setTexts, change, file, chooseFile, image, uploads: { uploaded, onUpload }, isUploading };
}

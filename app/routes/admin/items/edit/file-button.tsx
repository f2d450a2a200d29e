import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { buttonClass } from "#app/ui/button.tsx";
import "./item-form.css";

type FileButtonProps = {
  label: string;
  accept: string;
  name?: string;
  disabled?: boolean;
  describedBy?: string;
  /**
   * Prepares the file, and resolves to whether it is used: a form that is sent meanwhile waits for it. `isLatest` says
   * whether no other file was chosen since, as while a large one is being prepared.
   */
  onChoose(file: File, isLatest: () => boolean): Promise<boolean>;
  children: ReactNode;
};

export function FileButton({ label, describedBy, onChoose, children, ...input }: FileButtonProps) {
  const id = useId();
  const latest = useRef<File>(null);
  const element = useRef<HTMLInputElement>(null);
  const isUsed = useRef(false);
  const [isPreparing, setPreparing] = useState(false);
  useHeldForm(element, isPreparing, isUsed);

  async function choose(chosen: File) {
    latest.current = chosen;
    isUsed.current = false;
    const isLatest = () => latest.current === chosen;
    setPreparing(true);
    const used = await onChoose(chosen, isLatest).catch(() => false);
    if (!isLatest()) return;
    isUsed.current = used;
    setPreparing(false);
  }

  return (
    <label htmlFor={id} className={`${buttonClass("secondary", "sm")} item-file`}>
      {children}
      <input
        {...input}
        ref={element}
        id={id}
        type="file"
        aria-label={label}
        aria-describedby={describedBy}
        className="sr-only"
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          // Allows choosing the same file again after it was refused or removed.
          target.value = "";
          if (chosen) void choose(chosen);
        }}
      />
    </label>
  );
}

/**
 * Holds back a form that is sent while its file is being prepared, which would be saved without the file. It is sent
 * once the file is ready, unless that is refused.
 */
function useHeldForm(
  input: RefObject<HTMLInputElement | null>,
  isPreparing: boolean,
  isUsed: RefObject<boolean>,
) {
  useEffect(() => {
    const form = input.current?.form;
    if (!form || !isPreparing) return;
    let isHeld = false;
    const hold = (event: SubmitEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      isHeld = true;
    };
    form.addEventListener("submit", hold, true);
    return () => {
      form.removeEventListener("submit", hold, true);
      if (isHeld && isUsed.current) form.requestSubmit();
    };
  }, [input, isPreparing, isUsed]);
}

/** An object URL of a picture, for as long as it is shown. */
export function usePreview(picture: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!picture) return setAddress(null);
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return address;
}

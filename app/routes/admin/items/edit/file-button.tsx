import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { buttonClass } from "#app/ui/button.tsx";
import "./item-form.css";

type FileButtonProps = {
  label: string;
  accept: string;
  name?: string;
  disabled?: boolean;
  describedBy?: string;
  /** `isLatest` says whether no other file was chosen since, as while a large one is being prepared. */
  onChoose(file: File, isLatest: () => boolean): void;
  children: ReactNode;
};

export function FileButton({ label, describedBy, onChoose, children, ...input }: FileButtonProps) {
  const id = useId();
  const latest = useRef<File>(null);
  return (
    <label htmlFor={id} className={`${buttonClass("secondary", "sm")} item-file`}>
      {children}
      <input
        {...input}
        id={id}
        type="file"
        aria-label={label}
        aria-describedby={describedBy}
        className="sr-only"
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          // Allows choosing the same file again after it was refused or removed.
          target.value = "";
          if (!chosen) return;
          latest.current = chosen;
          onChoose(chosen, () => latest.current === chosen);
        }}
      />
    </label>
  );
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

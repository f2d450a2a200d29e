import type { ComponentProps } from "react";
import { LineIcon } from "./line-icon.tsx";

export type SearchFieldProps = ComponentProps<"input"> & {
  /** The label for screen readers; a placeholder is not a label. */
  label: string;
};

/** A search box: `<SearchField label="Search items" placeholder="Search items..." value={…} onChange={…} />`. */
export function SearchField({ label, className = "", ...props }: SearchFieldProps) {
  return (
    <div data-slot="search-field" className={`search ${className}`}>
      <LineIcon path="M13 7.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0m-1.2 4.3 4.7 4.7" width={2} />
      <input
        type="search"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        className="control"
        {...props}
      />
    </div>
  );
}

import type { ComponentProps } from "react";

export type SearchFieldProps = ComponentProps<"input"> & {
  /** What is searched, for screen readers; the placeholder alone is no label. */
  label: string;
};

/** A search box: `<SearchField label="Search items" placeholder="Search items..." value={…} onChange={…} />`. */
export function SearchField({ label, className = "", ...props }: SearchFieldProps) {
  return (
    <div data-slot="search-field" className={`search ${className}`}>
      <svg
        aria-hidden="true"
        width="18"
        height="18"
        viewBox="0 0 18 18"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
      >
        <circle cx="7.5" cy="7.5" r="5.5" />
        <path d="m11.8 11.8 4.7 4.7" strokeLinecap="round" />
      </svg>
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

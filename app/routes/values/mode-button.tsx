import { LineIcon } from "#app/ui/line-icon.tsx";
import { VIEW_MODE_LABELS, type ViewMode } from "#domain/values/view-mode.ts";

type ModeButtonProps = { name: string; mode: ViewMode; onChange: (mode: ViewMode) => void };

/** A card's own toggle between Regular and Permanent: one lightweight button, since there are eighty on the page. */
export function ModeButton({ name, mode, onChange }: ModeButtonProps) {
  const other = mode === "regular" ? "permanent" : "regular";
  return (
    <button type="button" className="mode-button" data-mode={mode} onClick={() => onChange(other)}>
      {VIEW_MODE_LABELS[mode]}
      <span className="sr-only">
        {" "}
        value of {name}, show {VIEW_MODE_LABELS[other]}
      </span>
      <LineIcon path="M3 6.500h11l-3-3M15 11.500H4l3 3" />
    </button>
  );
}

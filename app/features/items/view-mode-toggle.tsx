import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import { VIEW_MODE_LABELS, VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";

type ViewModeToggleProps = {
  /** What it switches, for screen readers: `View mode of Kitsune`. */
  label: string;
  mode: ViewMode;
  onChange: (mode: ViewMode) => void;
  /** The field name, for forms that work without scripts. */
  name?: string;
  compact?: boolean;
};

const OPTIONS = VIEW_MODES.map((value) => ({ value, label: VIEW_MODE_LABELS[value] }));

/** Switches between Regular and Permanent, for a list, a card, a slot or a page. */
export function ViewModeToggle({ label, mode, onChange, name, compact = false }: ViewModeToggleProps) {
  const size = compact ? "compact" : "normal";
  return <SegmentedControl {...{ label, name, onChange, size }} options={OPTIONS} value={mode} />;
}

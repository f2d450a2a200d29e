import { Dialog } from "#app/ui/dialog.tsx";

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["← ↑ → ↓", "go to the next cell; with Ctrl to the end, with Shift select on the way"],
  ["Type", "write into the cell"],
  ["F2, or a second press", "edit on what it holds"],
  ["Enter, Shift+Enter", "take it over, and one cell down or up"],
  ["Tab, Shift+Tab", "take it over, and to the next or last cell that can be edited"],
  ["Escape", "give up what is being typed; once more, and Tab leaves the grid"],
  ["Ctrl+Enter while typing", "write it into everything selected"],
  ["Delete", "back to what is published"],
  ["Shift+Space, Ctrl+Space, Ctrl+A", "select the row, the column, everything"],
  ["Ctrl+C, Ctrl+V", "copy, and paste from a sheet; pasted at a name, rows find their items by name"],
  ["Ctrl+D", "fill the first selected row down"],
  ["%", "raise or lower by percent"],
  ["~", "round"],
  ["!", "mark as still right"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["/", "filter by name; Enter goes back to the cells"],
  ["Ctrl+Enter", "publish"],
  ["?", "this list"],
];

/** The grid's keyboard shortcuts. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys of the grid" size="wide">
      <dl className="grid-keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

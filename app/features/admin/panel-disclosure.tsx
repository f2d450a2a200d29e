import { type ReactNode, useState } from "react";

/** A card of a panel that can be folded away, as it is on a phone at first; this browser remembers which ones are. */
export function PanelDisclosure({ title, children }: { title: string; children: ReactNode }) {
  const key = `adminFolded:${title}`;
  const [isOpen, setOpen] = useState(() => findFold(key) ?? matchMedia("(min-width: 48rem)").matches);
  return (
    <details
      className="panel-fold card"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        localStorage.setItem(key, currentTarget.open ? "open" : "folded");
      }}
    >
      <summary>
        <h2>{title}</h2>
      </summary>
      <div className="panel-fold-body">{children}</div>
    </details>
  );
}

/** Whether it was left open; null when nobody said. */
function findFold(key: string): boolean | null {
  const stored = localStorage.getItem(key);
  return stored === null ? null : stored === "open";
}

import { type ReactNode, useState } from "react";

/** A card of a panel that can be folded away; this browser remembers which ones are. */
export function PanelDisclosure({ title, children }: { title: string; children: ReactNode }) {
  const key = `adminFolded:${title}`;
  const [isOpen, setOpen] = useState(() => localStorage.getItem(key) === null);
  return (
    <details
      className="panel-fold card"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (currentTarget.open) localStorage.removeItem(key);
        else localStorage.setItem(key, "folded");
      }}
    >
      <summary>
        <h2>{title}</h2>
      </summary>
      <div className="panel-fold-body">{children}</div>
    </details>
  );
}

import type { ReactNode } from "react";

export type EmptyStateProps = { title: string; children?: ReactNode; action?: ReactNode; level?: 1 | 2 | 3 };

/** Says that nothing is here, and what to do: `<EmptyState title="No items found">Try another name.</EmptyState>`. */
export function EmptyState({ title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as "h2";
  return (
    <div data-slot="empty-state" className="empty">
      <svg
        aria-hidden="true"
        width="72"
        height="56"
        viewBox="0 0 72 56"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
      >
        <path d="M12 30h48l-7 13H20zM36 30V6l17 18H36M31 12 21 24h10z" strokeLinejoin="round" />
        <path d="M2 50q6-5 11.5 0t11.500 0 11.500 0 11.500 0 11.500 0 11 0" strokeLinecap="round" />
      </svg>
      <Heading className="text-xl">{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

import type { ReactNode } from "react";

export type StatProps = {
  label: ReactNode;
  children: ReactNode;
  /** `big`: the figure under its label, for the most important one. */
  size?: "line" | "big";
  className?: string;
};

/** A label and its figure in one line, inside a `<dl>`: `<Stat label="Value">640M</Stat>`. */
export function Stat({ label, children, size = "line", className = "" }: StatProps) {
  return (
    <div data-slot="stat" className={`stat ${size === "big" ? "stat-big" : ""} ${className}`}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

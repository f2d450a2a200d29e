import type { ReactNode } from "react";

export type StatProps = {
  label: ReactNode;
  children: ReactNode;
  /** `big`: the figure under its label, for the most important one. */
  size?: "line" | "big";
};

/** A label and its figure in one line, inside a `<dl>`: `<Stat label="Value">640M</Stat>`. */
export function Stat({ label, children, size = "line" }: StatProps) {
  return (
    <div data-slot="stat" className={size === "big" ? "stat stat-big" : "stat"}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

import type { ReactNode } from "react";

export function Samples({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-5">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** One part, named, in its states side by side. */
export function Sample({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div className="grid gap-2">
      <p className="text-sm text-muted">{of}</p>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </div>
  );
}

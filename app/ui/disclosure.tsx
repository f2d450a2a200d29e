import type { ComponentProps, ReactNode } from "react";

export type DisclosureProps = Omit<ComponentProps<"details">, "title"> & { question: ReactNode };

/** A question that expands to its answer, without scripts: `<Disclosure question="How …?">…</Disclosure>`. */
export function Disclosure({ question, children, className = "", ...props }: DisclosureProps) {
  return (
    <details data-slot="disclosure" className={`disclosure ${className}`} {...props}>
      <summary>{question}</summary>
      <div>{children}</div>
    </details>
  );
}

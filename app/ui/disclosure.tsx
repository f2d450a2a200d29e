import type { ComponentProps, ReactNode } from "react";

export type DisclosureProps = Omit<ComponentProps<"details">, "title" | "className"> & {
  question: ReactNode;
};

/** A question that expands to its answer, without scripts: `<Disclosure question="How …?">…</Disclosure>`. */
export function Disclosure({ question, children, ...props }: DisclosureProps) {
  return (
    <details data-slot="disclosure" className="disclosure" {...props}>
      <summary>{question}</summary>
      <div>{children}</div>
    </details>
  );
}

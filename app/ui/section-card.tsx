import { type ReactNode, useId } from "react";
import { Card, CardTitle } from "./card.tsx";

export type SectionCardProps = { title: ReactNode; className?: string; children: ReactNode };

/** A section as a card, labeled by its heading. */
export function SectionCard({ title, className, children }: SectionCardProps) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className={className}>
      <CardTitle id={id}>{title}</CardTitle>
      {children}
    </Card>
  );
}

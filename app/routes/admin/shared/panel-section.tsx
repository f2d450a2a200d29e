import { type ReactNode, useId } from "react";
import { Card, CardTitle } from "#app/ui/card.tsx";

type PanelSectionProps = { title: ReactNode; className?: string; children: ReactNode };

/** A card of a panel under its heading. */
export function PanelSection({ title, className, children }: PanelSectionProps) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className={className}>
      <CardTitle id={id}>{title}</CardTitle>
      {children}
    </Card>
  );
}

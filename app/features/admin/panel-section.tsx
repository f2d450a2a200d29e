import { type ReactNode, useId } from "react";
import { Card, CardTitle } from "#app/ui/card.tsx";

/** A card of a panel under its heading. */
export function PanelSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id}>
      <CardTitle id={id}>{title}</CardTitle>
      {children}
    </Card>
  );
}

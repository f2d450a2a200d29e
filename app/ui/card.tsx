import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** `tag`: a sheet with one corner cut. `well`: sunk into the page, for content that belongs to something else. */
type CardVariant = "tag" | "well";

const VARIANTS: Record<CardVariant, string> = { tag: "", well: "card-well" };

export type CardProps = ComponentProps<"div"> & {
  as?: "div" | "section" | "li";
  variant?: CardVariant;
  /** Padding that grows with the screen; off for a card with its own layout. */
  pad?: boolean;
};

/** A container for related content: `<Card as="section" aria-labelledby={id}>…</Card>`. */
export function Card({ as = "div", variant = "tag", pad = true, className, ...props }: CardProps) {
  const Tag = as as "div";
  const names = classNames("card", VARIANTS[variant], pad && "card-pad", className);
  return <Tag data-slot="card" className={names} {...props} />;
}

/** A card's heading, with a double rule below. */
export function CardTitle(props: Omit<ComponentProps<"h2">, "className">) {
  return <h2 data-slot="card-title" className="card-title text-xl" {...props} />;
}

import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** `tag`: a sheet of sailcloth with one corner cut. `well`: sunk into the page, for what belongs to something else. */
type CardVariant = "tag" | "well";

const VARIANTS: Record<CardVariant, string> = { tag: "", well: "card-well" };

export type CardProps = ComponentProps<"div"> & {
  as?: "div" | "section" | "li";
  variant?: CardVariant;
  /** Inner spacing that grows with the screen; off for a card that lays itself out. */
  pad?: boolean;
};

/** A sheet that holds things that belong together: `<Card as="section" aria-labelledby={id}>…</Card>`. */
export function Card({ as = "div", variant = "tag", pad = true, className, ...props }: CardProps) {
  const Tag = as as "div";
  const names = classNames("card", VARIANTS[variant], pad && "card-pad", className);
  return <Tag data-slot="card" className={names} {...props} />;
}

/** The heading of a card over the double rule of a ledger. */
export function CardTitle({ className, ...props }: ComponentProps<"h2">) {
  return <h2 data-slot="card-title" className={classNames("card-title text-xl", className)} {...props} />;
}

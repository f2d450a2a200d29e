import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** `tag`: a sheet of sailcloth with one corner cut. `well`: sunk into the page, for what belongs to something else. */
export type CardVariant = "tag" | "well";

const VARIANTS: Record<CardVariant, string> = { tag: "", well: "card-well" };

export type CardProps = ComponentProps<"div"> & {
  as?: "div" | "section" | "article" | "li" | "aside";
  variant?: CardVariant;
  /** Inner spacing that grows with the screen; off for a card that lays itself out. */
  pad?: boolean;
  /** Rises under the pointer: the whole card leads somewhere. */
  lift?: boolean;
};

/** A sheet that holds things that belong together: `<Card as="section" aria-labelledby={id}>…</Card>`. */
export function Card({ as = "div", variant = "tag", pad = true, lift, className, ...props }: CardProps) {
  const Tag = as as "div";
  const names = classNames("card", VARIANTS[variant], pad && "card-pad", lift && "card-lift", className);
  return <Tag data-slot="card" className={names} {...props} />;
}

export type CardTitleProps = ComponentProps<"h2"> & { level?: 2 | 3 | 4 };

/** The heading of a card over the double rule of a ledger. */
export function CardTitle({ level = 2, className, ...props }: CardTitleProps) {
  const Tag = `h${level}` as "h2";
  return <Tag data-slot="card-title" className={classNames("card-title text-xl", className)} {...props} />;
}

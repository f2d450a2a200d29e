import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

export type BadgeTone = "neutral" | "accent" | "rise" | "fall";

const TONES: Record<BadgeTone, string> = {
  neutral: "",
  accent: "badge-accent",
  rise: "badge-rise",
  fall: "badge-fall",
};

export type BadgeProps = ComponentProps<"span"> & { tone?: BadgeTone };

/** A short fact; the word carries the meaning, the color only helps: `<Badge tone="accent">Permanent</Badge>`. */
export function Badge({ tone = "neutral", className, ...props }: BadgeProps) {
  return <span data-slot="badge" className={classNames("badge", TONES[tone], className)} {...props} />;
}

import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** `primary`: the main action. `secondary`: any other. `ghost`: unobtrusive. `danger`: cannot be undone. */
export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
/** `sm` 36 px, `md` 44 px, `lg` 52 px high; `icon` is a 44 px square that needs an `aria-label`. */
export type ButtonSize = "sm" | "md" | "lg" | "icon";

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "button-primary",
  secondary: "",
  ghost: "button-ghost",
  danger: "button-danger",
};

const SIZES: Record<ButtonSize, string> = { sm: "button-sm", md: "", lg: "button-lg", icon: "button-icon" };

/** The classes of a button, for a link that looks like one. */
export function buttonClass(
  variant: ButtonVariant = "secondary",
  size: ButtonSize = "md",
  className?: string,
) {
  return classNames("button", VARIANTS[variant], SIZES[size], className);
}

export type ButtonProps = ComponentProps<"button"> & { variant?: ButtonVariant; size?: ButtonSize };

/** A native button (`type="button"` by default): `<Button variant="primary" onClick={…}>Save</Button>`. */
export function Button({ variant, size, className, type = "button", ...props }: ButtonProps) {
  return (
    <button data-slot="button" type={type} className={buttonClass(variant, size, className)} {...props} />
  );
}

import { Link, type LinkProps } from "react-router";
import { type ButtonSize, type ButtonVariant, buttonClass } from "./button.tsx";

export type LinkButtonProps = LinkProps & { variant?: ButtonVariant; size?: ButtonSize };

/** A link that looks like a button, for navigation: `<LinkButton to="/values">…</LinkButton>`. */
export function LinkButton({ variant, size, className, ...props }: LinkButtonProps) {
  return <Link data-slot="link-button" className={buttonClass(variant, size, className)} {...props} />;
}

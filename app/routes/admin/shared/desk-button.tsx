import type { ComponentProps, ReactNode } from "react";
import { Button } from "#app/ui/button.tsx";

type DeskButtonProps = Pick<ComponentProps<typeof Button>, "variant" | "size" | "disabled" | "onClick"> & {
  /** The key that presses it within its desk (see `pressDeskKey`); none if the digits are used up. */
  press?: string | number | undefined;
  children: ReactNode;
};

/** A desk's button, with its key before the label. */
export function DeskButton({ press, children, ...button }: DeskButtonProps) {
  if (press === undefined) return <Button {...button}>{children}</Button>;
  return (
    <Button {...button} data-key={press} aria-keyshortcuts={String(press)}>
      <span aria-hidden="true" className="desk-key">
        {press}
      </span>
      {children}
    </Button>
  );
}

import type { ComponentProps } from "react";
import { TextField } from "#app/ui/form/text-field.tsx";

/** The email address being typed, kept when switching forms. */
export type AddressProps = { email: string; onEmail: (email: string) => void };

type AddressFieldProps = Omit<ComponentProps<typeof TextField>, "label"> & { email: string };

export function AddressField({ email, ...props }: AddressFieldProps) {
  return (
    <TextField
      label="Email"
      name="email"
      type="email"
      autoComplete="email"
      required
      defaultValue={email}
      {...props}
    />
  );
}

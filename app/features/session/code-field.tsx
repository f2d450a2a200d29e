import { TextField, type TextFieldProps } from "#app/ui/text-field.tsx";
import type { Reading, Texts } from "./use-submit.ts";

/** The six digits that an authenticator app shows, unless told otherwise. */
export function CodeField(props: Partial<Pick<TextFieldProps, "label" | "hint" | "autoFocus">>) {
  return (
    <TextField
      label="Code from your authenticator app"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      required
      hint="Six digits; a new code every 30 seconds."
      {...props}
    />
  );
}

/** The code without the spaces that some apps show in it. */
export function readCode({ code = "" }: Texts): Reading<string> {
  const digits = code.replace(/\s/g, "");
  if (/^\d{6}$/.test(digits)) return { input: digits };
  return { field: "code", message: "Please enter the six digits" };
}

import * as v from "valibot";
import { TextField, type TextFieldProps } from "#app/ui/form/text-field.tsx";
import { typedNumber } from "#domain/text/typed-number.ts";

/** By default, a field for the six digits of an authenticator app. */
export function CodeField(props: Partial<Pick<TextFieldProps, "label" | "name" | "hint" | "autoFocus">>) {
  return (
    <TextField
      label="Code from your authenticator app"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      required
      hint="Six digits. You get a new code every 30 seconds."
      {...props}
    />
  );
}

/** The digits of a code without spaces, which some apps and emails insert, whatever digits the keyboard types. */
export function digitsSchema(length: RegExp, sentence: string) {
  return v.pipe(
    v.string(),
    v.transform((code) => typedNumber(code).replace(/\s/g, "")),
    v.regex(length, sentence),
  );
}

export const codeSchema = v.object({ code: digitsSchema(/^\d{6}$/, "Please enter the six digits") });

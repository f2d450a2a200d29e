import { useState } from "react";
import { TextField, type TextFieldProps } from "#app/ui/form/text-field.tsx";

/** A password field that can show what is typed. */
export function PasswordField({ label = "Password", ...props }: Partial<TextFieldProps>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <TextField
        label={label}
        name="password"
        type={shown ? "text" : "password"}
        required
        spellCheck={false}
        autoCapitalize="none"
        className="[&_.control]:pr-18"
        {...props}
      />
      <button
        type="button"
        aria-pressed={shown}
        className="absolute top-7.5 right-1 min-h-11 cursor-pointer rounded-md px-3 font-semibold text-muted text-sm hover:text-ink"
        onClick={() => setShown(!shown)}
      >
        {shown ? "Hide" : "Show"}
        <span className="sr-only"> {label.toLowerCase()}</span>
      </button>
    </div>
  );
}

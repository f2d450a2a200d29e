import { TextField } from "#app/ui/form/text-field.tsx";

type UsernameFieldProps = { label: string; value: string; onChange: (value: string) => void };

export function UsernameField({ onChange, ...props }: UsernameFieldProps) {
  return (
    <TextField
      {...props}
      name="username"
      autoComplete="nickname"
      autoCapitalize="none"
      spellCheck={false}
      required
      onChange={(event) => onChange(event.target.value)}
      hint="3 to 20 letters, digits or underscores. Please don't use your real name."
    />
  );
}

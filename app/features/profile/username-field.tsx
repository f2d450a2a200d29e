import { TextField } from "#app/ui/form/text-field.tsx";
import { USERNAME_RULE } from "#domain/people/username.ts";

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
      hint={`${USERNAME_RULE}. Please don't use your real name.`}
    />
  );
}

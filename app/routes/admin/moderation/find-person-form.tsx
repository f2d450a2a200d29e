import * as v from "valibot";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { TextField } from "#app/ui/form/text-field.tsx";
import { findPerson } from "./case-queries.ts";
import type { CasePerson } from "./cases.ts";

const UNKNOWN = "Nobody has this username";

const usernameSchema = v.object({ username: v.pipe(v.string(), v.trim(), v.nonEmpty(UNKNOWN)) });

type FindPersonFormProps = { found: CasePerson | null; onFound(person: CasePerson | null): void };

/** Looks up any user by name, even one whom nobody reported. */
export function FindPersonForm({ found, onFound }: FindPersonFormProps) {
  const { form, button } = useSessionForm({
    schema: usernameSchema,
    invalidTitle: undefined,
    async send(client, { username }) {
      const person = await findPerson(client, username);
      if (!person) throw new FormError(UNKNOWN, { title: null, fields: ["username"] });
      return person;
    },
    done: ({ id, username, avatar_url }) => onFound({ id, username, avatarUrl: avatar_url }),
  });
  return (
    <Form {...form} className="flex flex-wrap items-start gap-3" aria-label="Look somebody up">
      <TextField
        label="Username"
        name="username"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="min-w-40 flex-1 sm:max-w-80"
      />
      <Button {...button} className="mt-[1.9375rem]">
        Look up
      </Button>
      {found && (
        <Button className="sm:mt-[1.9375rem]" variant="ghost" onClick={() => onFound(null)}>
          Show all cases
        </Button>
      )}
    </Form>
  );
}

import * as v from "valibot";
import { useRead } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useCaughtFocus } from "#app/routes/admin/shared/use-caught-focus.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import type { Person } from "./silence-dialog.tsx";
import { findPerson, isForever, liftSilence, readSilences, type Silence } from "./silence-queries.ts";

type SilencesSectionProps = { onSilence(person: Person): void };

/** Who is silent now, until when and why; and a way to silence somebody whom nobody reported. */
export function SilencesSection({ onSilence }: SilencesSectionProps) {
  const silences = useRead(["chat_silences"], readSilences);
  const caught = useCaughtFocus(silences.data);
  return (
    <div className="grid gap-5">
      <FindPersonForm onFound={onSilence} />
      <div {...caught}>
        <ReadState read={silences} what="Silences">
          {(data) =>
            data.length === 0 ? (
              <p className="text-muted">Nobody is silenced.</p>
            ) : (
              <ul className="divide-y divide-line">
                {data.map((silence) => (
                  <SilenceRow key={silence.user_id} silence={silence} onSilence={onSilence} />
                ))}
              </ul>
            )
          }
        </ReadState>
      </div>
    </div>
  );
}

type SilenceRowProps = SilencesSectionProps & { silence: Silence };

function SilenceRow({ silence, onSilence }: SilenceRowProps) {
  const { isBusy, act } = useAct("chat_silences");
  const { user_id, until, reason, created_at, admin } = silence;
  const username = silence.person.username;

  async function lift() {
    const isLifted = await act((client) => liftSilence(client, user_id));
    if (isLifted)
      showToast({ title: "Silence lifted", description: `${username} can write in the chat again.` });
  }

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-48 flex-1">
        <p>
          <span className="font-semibold">{username}</span>{" "}
          {isForever(silence) ? "for good" : <>until {<Moment at={until} />}</>}
        </p>
        <p className="wrap-anywhere">{reason}</p>
        <p className="text-muted text-sm">
          By {admin ?? "somebody whose account is gone"}, <Moment at={created_at} />
        </p>
      </div>
      <div className="ml-auto flex gap-2">
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Change the silence of ${username}`}
          onClick={() => onSilence({ id: user_id, username })}
        >
          Change
        </Button>
        <Button
          size="sm"
          disabled={isBusy}
          aria-label={`Lift the silence of ${username}`}
          onClick={() => void lift()}
        >
          Lift
        </Button>
      </div>
    </li>
  );
}

const UNKNOWN = "Nobody has this username";

const usernameSchema = v.object({ username: v.pipe(v.string(), v.trim(), v.nonEmpty(UNKNOWN)) });

function FindPersonForm({ onFound }: { onFound(person: Person): void }) {
  const { form, button } = useSessionForm({
    schema: usernameSchema,
    invalidTitle: undefined,
    async send(client, { username }) {
      const person = await findPerson(client, username);
      if (!person) throw new FormError(UNKNOWN, { title: null, fields: ["username"] });
      return person;
    },
    done: onFound,
  });
  return (
    <Form {...form} className="flex flex-wrap items-start gap-3" aria-label="Silence a person">
      <TextField
        label="Username"
        name="username"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="min-w-56 flex-1 sm:max-w-80"
      />
      <Button {...button} className="sm:mt-[1.9375rem]">
        Silence…
      </Button>
    </Form>
  );
}

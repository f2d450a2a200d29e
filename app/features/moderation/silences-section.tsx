import { type FormEvent, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { Moment } from "../admin/moment.tsx";
import { ReadState } from "../admin/read-state.tsx";
import { useAct } from "../admin/use-act.ts";
import type { AdminRead } from "../admin/use-admin-read.ts";
import { useCaughtFocus } from "../admin/use-caught-focus.ts";
import type { Person } from "./silence-dialog.tsx";
import { findPerson, isForever, liftSilence, type Silence } from "./silence-queries.ts";

type SilencesSectionProps = { silences: AdminRead<Silence[]>; onSilence(person: Person): void };

/** Who is silent now, until when and why; and a way to silence somebody whom nobody reported. */
export function SilencesSection({ silences, onSilence }: SilencesSectionProps) {
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
                  <SilenceRow
                    key={silence.user_id}
                    silence={silence}
                    onSilence={onSilence}
                    reload={silences.reload}
                  />
                ))}
              </ul>
            )
          }
        </ReadState>
      </div>
    </div>
  );
}

type SilenceRowProps = { silence: Silence; onSilence(person: Person): void; reload(): Promise<void> };

function SilenceRow({ silence, onSilence, reload }: SilenceRowProps) {
  const { isBusy, act } = useAct();
  const { user_id, until, reason, created_at, admin } = silence;
  const username = silence.person.username;

  async function lift() {
    const isLifted = await act((client) => liftSilence(client, user_id));
    if (isLifted)
      showToast({ title: "Silence lifted", description: `${username} can write in the chat again.` });
    await reload();
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
          By {admin?.username ?? "somebody whose account is gone"}, <Moment at={created_at} />
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

function FindPersonForm({ onFound }: { onFound(person: Person): void }) {
  const { isBusy, act } = useAct();
  const [fault, setFault] = useState<string | null>(null);

  async function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const username = String(new FormData(event.currentTarget).get("username")).trim();
    await act(async (client) => {
      const person = username === "" ? null : await findPerson(client, username);
      setFault(person ? null : "Nobody has this username");
      if (person) onFound(person);
    });
  }

  return (
    <form className="flex flex-wrap items-start gap-3" aria-label="Silence a person" onSubmit={find}>
      <TextField
        label="Username"
        name="username"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={fault}
        className="min-w-56 flex-1 sm:max-w-80"
      />
      <Button type="submit" disabled={isBusy} className="sm:mt-[1.9375rem]">
        Silence…
      </Button>
    </form>
  );
}

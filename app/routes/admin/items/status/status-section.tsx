import * as v from "valibot";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useRepeatable } from "#app/routes/admin/shared/use-repeatable.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { listStatusWords, type StatusWord } from "./status-queries.ts";
import {
  addStatusWord,
  deleteStatusWord,
  findStatusWord,
  renameStatusWord,
  type WordInput,
} from "./status-writes.ts";

const LIMIT = COLUMN_LIMITS.status_words.word;

/** The words that editors choose from for an item's status. */
export default function StatusSection() {
  const words = useRead(["status_words"], listStatusWords);
  const caught = useFocusFallback(words.data);
  return (
    <div {...caught} className="grid gap-5">
      <ReadState read={words} what="Status words">
        {(all) => (
          <>
            <ul aria-label="Status words" className="grid gap-3">
              {all.map((row) => (
                <WordRow key={row.word} row={row} />
              ))}
            </ul>
            <NewWordForm place={(all.at(-1)?.place ?? 0) + 1} />
          </>
        )}
      </ReadState>
    </div>
  );
}

function NewWordForm({ place }: { place: number }) {
  const { send } = useRepeatable({
    add: (client, input: WordInput, isRepeat) => addStatusWord(client, input, isRepeat, place),
    find: findStatusWord,
  });
  return <WordForm label="New word" action="Add word" send={send} onDone={(element) => element.reset()} />;
}

function WordRow({ row: { word } }: { row: StatusWord }) {
  const { isBusy, act } = useAct("status_words");
  const remove = () => act((client) => deleteStatusWord(client, word), "Word deleted");
  return (
    <li className="flex flex-wrap items-end gap-3">
      <WordForm
        label={`Word ${word}`}
        action="Rename"
        initial={word}
        send={(client, input) => renameStatusWord(client, word, input.word)}
      />
      <Button size="sm" disabled={isBusy} aria-label={`Delete ${word}`} onClick={() => void remove()}>
        Delete
      </Button>
    </li>
  );
}

type WordFormProps = {
  label: string;
  action: string;
  initial?: string;
  send(client: SessionClient, input: WordInput): PromiseLike<unknown>;
  onDone?(element: HTMLFormElement): void;
};

function WordForm({ label, action, initial = "", send, onDone }: WordFormProps) {
  const refresh = useRefresh();
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema,
    send,
    async done(_answer, _input, element) {
      onDone?.(element);
      await refresh("status_words", "items");
      showToast({ title: "Word saved" });
    },
    failed: () => void refresh("status_words"),
  });
  return (
    <Form {...form} aria-label={label} className="flex flex-wrap items-end gap-3">
      <TextField
        label={label}
        name="word"
        required
        className="[&_.field-foot:not(:has(.field-error))]:hidden"
        defaultValue={initial}
      />
      <Button {...button} size="sm" aria-label={initial ? `${action} ${initial}` : undefined}>
        {action}
      </Button>
    </Form>
  );
}

const schema = v.object({
  word: v.pipe(
    v.string(),
    v.trim(),
    v.toLowerCase(),
    v.nonEmpty("Type a word"),
    v.regex(/^[a-z]+( [a-z]+)*$/, "Only letters, and one space between words"),
    v.maxLength(LIMIT, `At most ${LIMIT} characters`),
  ),
});

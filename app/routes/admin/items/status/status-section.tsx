import { useState } from "react";
import * as v from "valibot";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useFocusFallback } from "#app/routes/admin/shared/use-focus-fallback.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { deleteStatusWord, listStatusWords, type StatusWord } from "./status-queries.ts";

const LIMIT = COLUMN_LIMITS.status_words.word;

/** Another admin may have added it meanwhile. */
const TAKEN = { field: "word", message: "This word exists already" };

/** The words that editors choose from for an item's status. */
export default function StatusSection() {
  const words = useRead(["status_words"], listStatusWords);
  const caught = useFocusFallback(words.data);
  const [count, setCount] = useState(0);
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
            <WordForm
              key={`new ${count}`}
              label="New word"
              action="Add word"
              send={async (client, word) => {
                const adding = client
                  .from("status_words")
                  .insert({ word, place: (all.at(-1)?.place ?? 0) + 1 });
                return requireRow(await adding.select("word").maybeSingle(), "word", TAKEN);
              }}
              onDone={() => setCount(count + 1)}
            />
          </>
        )}
      </ReadState>
    </div>
  );
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
        send={async (client, to) => {
          const renaming = client.from("status_words").update({ word: to }).eq("word", word);
          return requireRow(await renaming.select("word").maybeSingle(), "word", TAKEN);
        }}
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
  send(client: SessionClient, word: string): PromiseLike<unknown>;
  onDone?(): void;
};

function WordForm({ label, action, initial = "", send, onDone }: WordFormProps) {
  const refresh = useRefresh();
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema,
    send: (client, input) => send(client, input.word),
    async done() {
      await refresh("status_words", "items");
      onDone?.();
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

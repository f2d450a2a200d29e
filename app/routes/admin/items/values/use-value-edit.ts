import { useState } from "react";
import * as v from "valibot";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRefresh } from "#app/features/live/use-read.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { dropDraft, findDraft, useKeptDraft } from "#app/routes/admin/items/edit/item-drafts.ts";
import type { FormTexts } from "#app/routes/admin/items/edit/item-texts.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { compareEdits, mergeEdits } from "#domain/items/merge-edits.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { lengthOf } from "#domain/text/limits.ts";
import { typedNumber } from "#domain/text/typed-number.ts";
import { isEvidence, withPicture } from "./evidence-files.ts";
import { type FieldOutcome, publishItemValues, STILL_RIGHT_CODE, VALUE_FIELDS } from "./publish-values.ts";
import { explainWait } from "./send-values.ts";

const { note: MAX_NOTE, evidence_url: MAX_LINK } = COLUMN_LIMITS.value_proposals;

const schema = v.pipe(
  v.custom<FormTexts>(() => true),
  v.forward(
    v.check(({ reason_code }) => Boolean(reason_code), "Choose a reason"),
    ["reason_code"],
  ),
  v.forward(
    v.check(
      ({ note, reason_code }) => reason_code === STILL_RIGHT_CODE || String(note).trim() !== "",
      "Say why in a few words",
    ),
    ["note"],
  ),
  v.forward(
    v.check(({ note }) => lengthOf(String(note)) <= MAX_NOTE, `A note has at most ${MAX_NOTE} characters`),
    ["note"],
  ),
  v.forward(
    v.check(
      ({ evidence_url: link }) => !link || (isEvidence(String(link)) && lengthOf(String(link)) <= MAX_LINK),
      "Evidence is a link that begins with https://",
    ),
    ["evidence_url"],
  ),
);

/** The key of an editor's draft of an item. */
export const valuesDraftKey = (id: string) => `${id}#values`;

const SAID: FormTexts = { reason_code: "", note: "", evidence_url: "", set_id: "" };

const ALL_FIELDS: ReadonlySet<string> = new Set(VALUE_FIELDS);

function storedTexts(item: Item): FormTexts {
  return Object.fromEntries(VALUE_FIELDS.map((field) => [field, item[field] ?? ""]));
}

/** An item's values while an editor changes them: kept as a draft, compared with what others publish, and published. */
export function useValueEdit(item: Item, onDone: () => void) {
  const key = valuesDraftKey(item.id);
  const stored = storedTexts(item);
  const [draft] = useState(() => findDraft(key));
  const [base, setBase] = useState<FormTexts>(draft?.base?.texts ?? stored);
  const [texts, setTexts] = useState<FormTexts>({ ...SAID, ...stored, ...draft?.texts });
  const [picture, setPicture] = useState<Blob | null>(null);
  const refresh = useRefresh();
  const isTyped = Object.keys(texts).some((name) => texts[name] !== (base[name] ?? ""));
  const textOf = (field: string) => typedNumber(String(texts[field] ?? ""));
  const isThere = (field: string) => stored[field] === textOf(field);
  useKeptDraft(key, isTyped ? { texts, base: { updated_at: "", texts: base } } : null);

  const { form, button, isBusy } = useSessionForm({
    invalidTitle: "Validation Error",
    schema,
    values: texts,
    send: (client) =>
      withPicture(client, picture, (name) => publishItemValues(client, item, base, texts, name)),
    async done(outcomes) {
      await refresh("items", "value_proposals", "value_sets");
      // What is published with this text is no longer a change.
      const settled = outcomes.filter(
        ({ outcome, field }) =>
          outcome === "published" || (outcome === "changed_meanwhile" && isThere(field)),
      );
      setBase({ ...base, ...Object.fromEntries(settled.map(({ field }) => [field, textOf(field)])) });
      notifyOutcomes(item, outcomes);
      dropDraft(key);
      onDone();
    },
  });
  return {
    form,
    button,
    isBusy,
    texts,
    picture,
    setPicture,
    change: (field: string, value: string | boolean) => setTexts((now) => ({ ...now, [field]: value })),
    /**
     * The fields that someone else changed since this edit began. One that has this editor's text now may be their own,
     * whose answer was lost: publishing it tells.
     */
    changed: VALUE_FIELDS.filter((field) => stored[field] !== base[field] && !isThere(field) && !isBusy),
    /** Continues over what someone else published, with their text in each field that this editor did not change. */
    keep() {
      const theirs = { ...SAID, ...stored };
      const merged = mergeEdits(compareEdits({ ...SAID, ...base }, texts, theirs), theirs, ALL_FIELDS);
      setTexts(merged as FormTexts);
      setBase(stored);
    },
    cancel() {
      dropDraft(key);
      onDone();
    },
  };
}

/** @throws FormError for the fields that were not written */
function notifyOutcomes(item: Item, outcomes: readonly FieldOutcome[]): void {
  const failed = outcomes.filter(({ outcome }) => outcome === "refused" || outcome === "changed_meanwhile");
  const [first] = failed;
  if (first)
    throw new FormError(first.why ?? "This value was changed by somebody else in the meantime", {
      title: failed.length < outcomes.length ? "Not all of it was published" : "Nothing was published",
      fields: failed.map(({ field }) => field),
    });
  const waits = outcomes.filter(({ outcome }) => outcome === "waiting");
  if (outcomes.some(({ outcome }) => outcome === "drafted")) showToast({ title: "Put into the set" });
  else if (waits.length === 0) showToast({ title: "Item updated" });
  else
    showToast({
      title: "Waits for a second person",
      description: `${item.name}: ${[...new Set(waits.map(({ why }) => explainWait(why)))].join(", ")}.`,
    });
}

import { showToast } from "#app/ui/toast/toast-store.ts";
import { type Faults, focusFault } from "./form.tsx";
import { FormError } from "./form-error.ts";

/** What a form holds by the names of its fields, untrimmed. */
export type FormValues = Record<string, FormDataEntryValue>;

type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined };
type Result<Input> = { value: Input; issues?: undefined } | { issues: readonly Issue[] };

/** A schema of valibot, by the interface that schemas of all libraries have, so that no form carries the library for it. */
type FormSchema<Input> = {
  readonly "~standard": { readonly validate: (values: unknown) => Result<Input> | Promise<Result<Input>> };
};

export type FormWork<Input, Answer> = {
  /** What the values must be, or how to load it. Without one nothing is checked, and `send` gets the fields' values. */
  schema?: FormSchema<Input> | (() => Promise<FormSchema<Input>>);
  /** What is checked, where it is not what stands in the fields. */
  values?: unknown;
  /** The title of the toast that says the first fault; without one faults are shown at their fields alone. */
  invalidTitle?: string;
  /** What the server refused before the scripts ran. */
  initialFaults?: Faults | undefined;
  /** Whether it is sent now; false where something has to be confirmed first. */
  accept?(input: Input): boolean;
  /** Saves. What it throws is shown in a toast; a `FormError` at its fields as well. */
  send(input: Input, form: HTMLFormElement): PromiseLike<Answer> | Answer;
  /** What follows when it was saved; busy until it ends. */
  done?(answer: Answer, input: Input, form: HTMLFormElement): PromiseLike<void> | void;
  /** What follows when it was not; the person has been told. */
  failed?(): void;
};

type Submission = {
  form: HTMLFormElement;
  values: unknown;
  setFaults(faults: Faults): void;
  setBusy(isBusy: boolean): void;
};

/** Checks a form and sends it. @throws where its schema cannot be loaded */
export async function submitForm<Input, Answer>(
  work: FormWork<Input, Answer>,
  { form, values, setFaults, setBusy }: Submission,
): Promise<void> {
  const reading = await check(work.schema, values);
  const faults = "faults" in reading ? reading.faults : {};
  setFaults(faults);
  if ("faults" in reading) return showInvalid(form, faults, work.invalidTitle);
  const { input } = reading;
  if (work.accept && !work.accept(input)) return;
  setBusy(true);
  try {
    const answer = await work.send(input, form);
    await work.done?.(answer, input, form);
  } catch (error) {
    const failure = error instanceof FormError ? error : new FormError((error as Error).message);
    setFaults(failure.faults);
    showFailed(form, failure);
    work.failed?.();
  }
}

/** The input to send, or the first sentence of each refused field in the schema's order. */
async function check<Input>(
  schema: FormWork<Input, unknown>["schema"],
  values: unknown,
): Promise<{ input: Input } | { faults: Faults }> {
  if (!schema) return { input: values as Input };
  const loaded = typeof schema === "function" ? await schema() : schema;
  const result = await loaded["~standard"].validate(values);
  if (!result.issues) return { input: result.value };
  const faults: Record<string, string> = {};
  for (const { path, message } of result.issues) {
    const [first] = path ?? [];
    const field = String(typeof first === "object" ? first.key : (first ?? ""));
    faults[field] ??= message;
  }
  return { faults };
}

function showInvalid(form: HTMLFormElement, faults: Faults, title: string | undefined): void {
  const description = focusFault(form, faults) ?? Object.values(faults)[0] ?? "";
  if (title) showToast({ title, description, variant: "destructive" });
}

function showFailed(form: HTMLFormElement, { title, message, faults }: FormError): void {
  focusFault(form, faults);
  if (title) showToast({ title, description: message, variant: "destructive" });
}

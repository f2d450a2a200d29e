import { showToast } from "#app/ui/toast/toast-store.ts";
import { type Faults, focusFault } from "./form.tsx";
import { FormError } from "./form-error.ts";

/** A form's values by field name, untrimmed. */
export type FormValues = Record<string, FormDataEntryValue>;

type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined };
type Result<Input> = { value: Input; issues?: undefined } | { issues: readonly Issue[] };

/** A valibot schema, typed by the Standard Schema interface, so that forms do not include the library for it. */
type FormSchema<Input> = {
  readonly "~standard": { readonly validate: (values: unknown) => Result<Input> | Promise<Result<Input>> };
};

export type FormWork<Input, Answer> = {
  /** The schema, or a function that loads it. Without one, `send` receives the fields' values unvalidated. */
  schema?: FormSchema<Input> | (() => Promise<FormSchema<Input>>);
  /** What is validated, if not the fields' values. */
  values?: unknown;
  /** The title of the toast with the first error; without one, errors are shown at their fields only. */
  invalidTitle?: string;
  /** The server's errors from a submit without scripts. */
  initialFaults?: Faults | undefined;
  /** Whether to send now; false if something must be confirmed first. */
  accept?(input: Input): boolean;
  /** Saves. What it throws is shown in a toast, and a `FormError` also at its fields. */
  send(input: Input, form: HTMLFormElement): PromiseLike<Answer> | Answer;
  /** Closes the form's dialog after a successful save, unless the user closed it meanwhile and uses another one. */
  close?(): void;
  /** Called after a successful save; the form stays busy until it resolves. */
  done?(answer: Answer, input: Input, form: HTMLFormElement): PromiseLike<void> | void;
  /** Called after a failed save; the user has been told. */
  failed?(form: HTMLFormElement): void;
};

type Submission = {
  form: HTMLFormElement;
  values: unknown;
  /** Shows errors at their fields, which do not announce them if a toast does. */
  setFaults(faults: Faults, isTold: boolean): void;
};

/** Validates a form and sends it. @throws if its schema cannot be loaded */
export async function submitForm<Input, Answer>(
  work: FormWork<Input, Answer>,
  { form, values, setFaults }: Submission,
): Promise<void> {
  const reading = await check(work.schema, values);
  const faults = "faults" in reading ? reading.faults : {};
  setFaults(faults, work.invalidTitle !== undefined);
  if ("faults" in reading) return showInvalid(form, faults, work.invalidTitle);
  const { input } = reading;
  if (work.accept && !work.accept(input)) return;
  try {
    const answer = await work.send(input, form);
    if (form.isConnected) work.close?.();
    await work.done?.(answer, input, form);
  } catch (error) {
    const failure = error instanceof FormError ? error : new FormError((error as Error).message);
    setFaults(failure.faults, failure.title !== null);
    showFailed(form, failure);
    work.failed?.(form);
  }
}

/** The input to send, or the first error of each invalid field in the schema's order. */
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

import { useEffect, useRef, useState } from "react";
import { useSubmit } from "react-router";
import { useKeptTexts } from "#app/features/browser-storage/use-kept-texts.ts";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import { useSession } from "#app/features/session/use-session.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextArea, TextField } from "#app/ui/form/text-field.tsx";
import { useForm } from "#app/ui/form/use-form.ts";
import { showError, showToast } from "#app/ui/toast/toast-store.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { LIMITS } from "#domain/text/limits.ts";
import type { ContactField, ContactResult } from "./contact-input.ts";

/** What happens to a message, stated before it is written (P20 and P54). */
function describeDelivery(site: SiteConfig): string {
  if (site.contactDelivery !== "none") {
    const mailed = site.contactDelivery === "email" ? ", and get them by email," : "";
    return `When you send this form, we store your name, email address, subject and message${mailed} so that we can read it and answer you. Only the people who run this site see it.`;
  }
  const stays = "Good to know: this form does not send anything yet. What you write stays in your browser.";
  return hasDirectChannel(site)
    ? `${stays} When you need an answer, use one of the other ways to reach us.`
    : `${stays} The chat is the one place where the people who run this site can read what you write.`;
}

/** The schema is larger than the form, so it is loaded when somebody writes. */
const loadSchema = async () => (await import("./contact-input.ts")).contactFormSchema;

/** Loads what sending needs, so that a message that stays in the browser causes no request at all (2.contact.06). */
const prepare = (loadForm: () => void) => {
  loadForm();
  for (const loading of [loadSchema(), import("#app/ui/toast/toast-viewport.tsx")])
    loading.catch(() => undefined);
};

type ContactFormProps = {
  site: SiteConfig;
  /** The server's response to the last message. */
  result: ContactResult | undefined;
};

/**
 * The contact form (2.contact.01 to .06). If messages stay in the browser, its button is disabled until hydration, so
 * that the browser cannot post them by itself either.
 */
export function ContactForm({ site, result }: ContactFormProps) {
  const submit = useSubmit();
  const hydrated = useHydrated();
  const element = useRef<HTMLFormElement>(null);
  const { status, session } = useSession();
  // It stays a user's when their session ends.
  const [writer, setWriter] = useState("a visitor");
  if (session && session.user.id !== writer) setWriter(session.user.id);
  const forget = useKeptTexts(element, status === "unknown" ? null : `contact by ${writer}`);
  const [message, setMessage] = useState(result?.typed?.message ?? "");
  const staysHere = site.contactDelivery === "none";
  const { form, button, isBusy, setFaults } = useForm({
    schema: loadSchema,
    initialFaults: result?.errors,
    async send(_input, sent) {
      if (staysHere) showSent("Nothing was sent to us yet: your message stayed in this browser.");
      else await submit(sent, { replace: true, preventScrollReset: true });
    },
  });

  function showSent(description: string) {
    element.current?.reset();
    forget();
    setMessage("");
    showToast({ title: "Message Sent!", description });
  }

  // Keeps what was typed before hydration.
  useEffect(() => {
    const typed = new FormData(element.current ?? undefined).get("message")?.toString() ?? "";
    setMessage((kept) => kept || typed);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!result) return;
    setFaults(result.errors ?? {});
    if (result.problem) showError(result.problem);
    if (!result.typed) showSent("Thank you. We will read it soon.");
  }, [result]);

  const field = (name: ContactField) => ({ name, required: true, defaultValue: result?.typed?.[name] });
  return (
    <Form {...form} ref={element} onFocus={() => prepare(form.onFocus)} className="grid gap-5">
      <p className="rounded-md border-l-4 border-focus bg-sunken px-4 py-3">{describeDelivery(site)}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Name" autoComplete="nickname" {...field("name")} />
        <TextField label="Email" type="email" autoComplete="email" {...field("email")} />
      </div>
      <TextField label="Subject" autoComplete="off" {...field("subject")} />
      <TextArea
        label="Message"
        name="message"
        required
        rows={6}
        limit={LIMITS.contact.message.max}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <Button
        {...button}
        type={staysHere ? button.type : "submit"}
        variant="primary"
        className="justify-self-start"
      >
        {isBusy ? "Sending…" : "Send Message"}
      </Button>
      {!hydrated && <PostedNote result={result} />}
    </Form>
  );
}

/** Replaces the toast if there are no scripts. */
function PostedNote({ result }: { result: ContactResult | undefined }) {
  if (!result) return null;
  return (
    <p role="status">
      {result.typed ? (result.problem ?? "Please correct the fields above.") : "Message Sent!"}
    </p>
  );
}

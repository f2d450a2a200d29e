import type { SiteConfig } from "#app/features/site/site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea, TextField } from "#app/ui/text-field.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { LIMITS } from "#domain/limits.ts";
import type { ContactResult } from "./contact-result.ts";
import { useContactForm } from "./use-contact-form.ts";
import { usePost } from "./use-post.ts";

/** What happens to a message, said before it is written (decision 20). */
const DESTINATIONS: Record<SiteConfig["contactDelivery"], string> = {
  none: "Good to know: this form does not send anything yet. What you write stays in your browser. When you need an answer, use one of the other ways to reach us.",
  database:
    "When you send this form, we store your name, email address, subject and message so that we can read it and answer you. Only the people who run this site see it.",
};

/**
 * The contact form (2.contact.01 to .06). Where messages stay in the browser its button submits nothing before the
 * scripts run, so that the browser cannot post it by itself either.
 */
export function ContactForm({ delivery }: { delivery: SiteConfig["contactDelivery"] }) {
  const { answer, isBusy, post } = usePost<ContactResult>();
  const staysHere = delivery === "none";
  const { form, typed, errors, change, submit } = useContactForm(answer, staysHere ? null : post);
  const hydrated = useHydrated();
  const submits = hydrated || !staysHere;
  const field = (name: keyof typeof typed) => ({
    name,
    required: true,
    value: typed[name],
    error: errors[name],
    onChange: change,
  });
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="grid gap-5">
      <p className="rounded-md border-l-4 border-focus bg-sunken px-4 py-3">{DESTINATIONS[delivery]}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Name" autoComplete="nickname" {...field("name")} />
        <TextField label="Email" type="email" autoComplete="email" {...field("email")} />
      </div>
      <TextField label="Subject" autoComplete="off" {...field("subject")} />
      <TextArea label="Message" rows={6} limit={LIMITS.contact.message.max} {...field("message")} />
      <Button
        type={submits ? "submit" : "button"}
        variant="primary"
        disabled={isBusy}
        className="justify-self-start"
      >
        {isBusy ? "Sending…" : "Send Message"}
      </Button>
      {!hydrated && <PostedNote result={answer} />}
    </form>
  );
}

/** Stands for the toast where no script shows one. */
function PostedNote({ result }: { result: ContactResult | undefined }) {
  if (!result) return null;
  return (
    <p role="status">
      {result.typed ? (result.problem ?? "Please correct the fields above.") : "Message Sent!"}
    </p>
  );
}

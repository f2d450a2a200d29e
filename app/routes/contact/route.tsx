import { data } from "react-router";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import type { Client } from "#app/features/site/client.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { siteContext, supabaseContext } from "#app/server-context.ts";
import { SectionCard } from "#app/ui/section-card.tsx";
import type { ContactMessage } from "#domain/people/contact.ts";
import type { Route } from "./+types/route.ts";
import { ContactChannels } from "./contact-channels.tsx";
import { ContactForm } from "./contact-form.tsx";
import { type ContactResult, parseContactForm } from "./contact-input.ts";
import { ContactQuestions } from "./contact-questions.tsx";

/** Accepts a message if the operator has them stored; otherwise nothing is accepted. */
export async function action({ request, context }: Route.ActionArgs) {
  if (context.get(siteContext).contactDelivery === "none") throw data(null, { status: 405 });
  const form = await request.formData();
  const input = parseContactForm(form);
  if (!input.ok) return data<ContactResult>({ typed: input.typed, errors: input.errors }, { status: 400 });
  const network = request.headers.get(NETWORK_HEADER) ?? "";
  const delivery = await storeContactMessage(context.get(supabaseContext), input.message, network);
  if (delivery === "stored") return data<ContactResult>({});
  const limited = delivery === "limited";
  const problem = limited ? "Too many messages right now, please try again later" : "Failed to send message";
  return data<ContactResult>({ typed: input.message, problem }, { status: limited ? 429 : 503 });
}

export const meta = metaOf((site) => ({
  path: "/contact",
  title: `Contact ${site.siteName}`,
  description: hasDirectChannel(site)
    ? `Ask ${site.siteName} a question, report a wrong ${site.gameName} value, or find the answer among the questions people ask most.`
    : `Where to ask ${site.siteName} a question or report a wrong ${site.gameName} value, and the questions people ask most.`,
  keywords: ["contact", site.siteName, "questions", "report a wrong value", "help"],
}));

export default function ContactRoute({ actionData }: Route.ComponentProps) {
  const site = useSiteConfig();
  const isDirect = hasDirectChannel(site);
  return (
    <div className="page grid gap-6 py-10 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:py-14">
      <header className="prose lg:col-span-2">
        <h1>Contact</h1>
        <p className="text-lg">
          {isDirect
            ? "A wrong value, an idea, or something that worries you: we would like to hear it."
            : "A wrong value or an idea? For now there is one place to tell us: the chat."}
        </p>
      </header>
      <SectionCard title="Write to us">
        <ContactForm site={site} result={actionData} />
      </SectionCard>
      <div className="grid content-start gap-6">
        <SectionCard title={isDirect ? "Other ways to reach us" : "How to reach us"}>
          <ContactChannels site={site} />
        </SectionCard>
        <SectionCard title="Frequently asked questions">
          <ContactQuestions site={site} />
        </SectionCard>
      </div>
    </div>
  );
}

/** `limited`: the sender sent too many messages recently, and the database accepts none for a while. */
type ContactDelivery = "stored" | "limited" | "failed";

/** The code of the database's rate limit. */
const TOO_MANY = "PT429";

/** Passes the sender's network to the server and the database, which limits by it. */
const NETWORK_HEADER = "x-client-network";

/** Stores a message for the operator, as an anonymous visitor, who may write messages but not read any. */
async function storeContactMessage(
  supabase: Client,
  message: ContactMessage,
  network: string,
): Promise<ContactDelivery> {
  const { error } = await supabase
    .from("contact_messages")
    .insert(message)
    .setHeader(NETWORK_HEADER, network);
  if (!error) return "stored";
  return error.code === TOO_MANY ? "limited" : "failed";
}

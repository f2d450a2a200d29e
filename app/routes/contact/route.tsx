import { data, Link } from "react-router";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import type { Client } from "#app/features/site/client.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { siteContext, supabaseContext } from "#app/server-context.ts";
import { Disclosure } from "#app/ui/disclosure.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import type { ContactMessage } from "#domain/people/contact.ts";
import type { Route } from "./+types/route.ts";
import { ContactChannels } from "./contact-channels.tsx";
import { ContactForm } from "./contact-form.tsx";
import { type ContactResult, parseContactForm } from "./contact-input.ts";

/** Accepts a message if the operator has them stored; otherwise nothing is accepted. */
export async function action({ request, context }: Route.ActionArgs) {
  if (context.get(siteContext).contactDelivery === "none") throw data(null, { status: 405 });
  // A body that is no form has no fields: a fault of its sender, not of the site.
  const form = await request.formData().catch(() => new FormData());
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
    <div className="page grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
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

/** Frequently asked questions with collapsible answers (2.contact.04). */
function ContactQuestions({ site }: { site: SiteConfig }) {
  const isDirect = hasDirectChannel(site);
  return (
    <div>
      <Disclosure question="A value looks wrong. What can I do?">
        First look at the chart on the item’s page and at the date of the last check: values move fast after a
        game update. If it still looks wrong, {isDirect ? "tell us" : "write in the chat"} the item, the value
        you see in trades, and where you saw it.
      </Disclosure>
      <Disclosure question="Why does an item show a dash instead of a value?">
        Because nobody knows a fair value for it, or because it does not exist in that mode. A gamepass, for
        example, has no permanent version. Unpriced does not mean worthless.
      </Disclosure>
      <Disclosure question="Do I need an account?">
        Not for values or the calculator. An account lets you save trades, rate traders and use the chat.
        Younger players should ask a parent first.
      </Disclosure>
      <Disclosure question="Will you trade with me, or sell me an item?">
        No. Trades happen inside the game, between players. Nobody from {site.siteName} will ever ask for your
        items, for money or for your password. If somebody says they are us, do not trade with them.
      </Disclosure>
      <Disclosure question="I was scammed. Can you get my item back?">
        We’re sorry. That shouldn’t happen to anyone. We can’t reach into the game, so we can’t return items.
        Report the player inside the game. If they use our chat or ratings, report them here too.
      </Disclosure>
      <Disclosure question="How do I get my account or my data deleted?">
        You can delete saved trades and chat messages one by one, and the whole account on your account page.{" "}
        {isDirect
          ? "If you can no longer sign in, write to us."
          : "You have to be signed in for that; there is no other way yet."}{" "}
        The{" "}
        <Link to="/privacy#deletion" className="link">
          Privacy Policy
        </Link>{" "}
        says what we store.
      </Disclosure>
      <Disclosure question={`Are you part of ${site.gameCompany}?`}>
        No. We are fans of {site.gameName}, and {site.gameCompany} has no part in this site. Questions about
        the game itself, bans or purchases are for them.
      </Disclosure>
    </div>
  );
}

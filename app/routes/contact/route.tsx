import { data } from "react-router";
import { ContactChannels } from "#app/features/contact/contact-channels.tsx";
import { ContactForm } from "#app/features/contact/contact-form.tsx";
import { parseContactForm } from "#app/features/contact/contact-input.ts";
import { NETWORK_HEADER, storeContactMessage } from "#app/features/contact/contact-queries.ts";
import { ContactQuestions } from "#app/features/contact/contact-questions.tsx";
import type { ContactResult } from "#app/features/contact/contact-result.ts";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { siteContext, supabaseContext } from "#app/server-context.ts";
import { Card, CardTitle } from "#app/ui/card.tsx";
import type { Route } from "./+types/route.ts";

/** Takes a message where the operator wants them stored; elsewhere nothing is accepted, whoever posts it. */
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

export function meta({ matches }: Route.MetaArgs) {
  const site = siteOf(matches);
  return pageMeta({
    site,
    path: "/contact",
    title: `Contact ${site.siteName}`,
    description: `Ask ${site.siteName} a question, report a wrong ${site.gameName} value, or find the answer among the questions people ask most.`,
    keywords: ["contact", site.siteName, "questions", "report a wrong value", "help"],
  });
}

export default function ContactRoute() {
  const site = useSiteConfig();
  return (
    <div className="page grid gap-6 py-10 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:py-14">
      <header className="prose lg:col-span-2">
        <h1>Contact</h1>
        <p className="text-lg">
          A wrong value, an idea, or something that worries you: we would like to hear it.
        </p>
      </header>
      <Card as="section" aria-labelledby="form-title">
        <CardTitle id="form-title">Write to us</CardTitle>
        <ContactForm delivery={site.contactDelivery} />
      </Card>
      <div className="grid content-start gap-6">
        <Card as="section" aria-labelledby="channels-title">
          <CardTitle id="channels-title">Other ways to reach us</CardTitle>
          <ContactChannels site={site} />
        </Card>
        <Card as="section" aria-labelledby="questions-title">
          <CardTitle id="questions-title">Frequently asked questions</CardTitle>
          <ContactQuestions site={site} />
        </Card>
      </div>
    </div>
  );
}

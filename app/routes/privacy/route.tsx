import { Link } from "react-router";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { TextPage } from "#app/features/text-page/text-page.tsx";
import { privacySections } from "./privacy-sections.tsx";

export const meta = metaOf((site) => ({
  path: "/privacy",
  title: "Privacy Policy",
  description: `What ${site.siteName} stores about you and what it does not: accounts, trades, ratings, chat, your browser's storage, ads, and how to have things deleted.`,
  keywords: ["privacy policy", site.siteName, "data", "deletion", "children's privacy"],
}));

export default function PrivacyRoute() {
  const site = useSiteConfig();
  const lead = (
    <>
      Looking up values and using the calculator needs no account, and we do not watch what you do. If you
      make an account, we keep only what it needs to work. You can read all of it here in a few minutes. If
      something is unclear,{" "}
      {hasDirectChannel(site) ? <Link to="/contact">ask us</Link> : <Link to="/chat">ask in the chat</Link>}.
    </>
  );
  return <TextPage title="Privacy Policy" lead={lead} sections={privacySections(site)} />;
}

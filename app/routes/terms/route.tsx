import { Link } from "react-router";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { TextPage, type TextSection } from "#app/features/text-page/text-page.tsx";

export const meta = metaOf((site) => ({
  path: "/terms",
  title: "Terms of Service",
  description: `The rules of ${site.siteName} in plain words: what values are worth, how to behave in chat and ratings, trading safely, and what we can and cannot promise.`,
  keywords: ["terms of service", site.siteName, "rules", "trading safety", "chat rules"],
}));

export default function TermsRoute() {
  const site = useSiteConfig();
  const lead = (
    <>
      These are the rules of {site.siteName}. We kept them short and plain, because rules only help if people
      read them. By using the site you agree to them.
    </>
  );
  return (
    <TextPage
      title="Terms of Service"
      lead={lead}
      sections={[...aboutTheService(site), ...aboutPeople(site)]}
    />
  );
}

function aboutTheService(site: SiteConfig): TextSection[] {
  const { siteName, gameName } = site;
  return [
    {
      id: "service",
      title: "What the site is",
      content: (
        <p>
          {siteName} is a free website with trading values, a calculator and a community for players of{" "}
          {gameName}. We may add, change or remove parts of it. We try to keep it running, but it can be slow
          or away for a while.
        </p>
      ),
    },
    {
      id: "values",
      title: "Values are opinions",
      content: (
        <p>
          Values, demand and verdicts are estimates from the community, kept with care. They are not official,
          they can be wrong or out of date, and nobody has to trade by them. What you trade, and with whom, is
          your own decision. We cannot bring back items that you traded away.
        </p>
      ),
    },
    {
      id: "trading",
      title: "Trading safely",
      content: (
        <>
          <p>Trades happen in the game, never on this site. So, please:</p>
          <ul>
            <li>trade only inside the game, in its own trading window;</li>
            <li>never give anybody your password, and never “lend” an item to somebody you don’t know;</li>
            <li>do not buy or sell items for real money. The game’s own rules apply to your trades.</li>
          </ul>
          <p>Nobody from this site will ever ask for your items or your password.</p>
        </>
      ),
    },
    {
      id: "accounts",
      title: "Accounts",
      content: (
        <p>
          Use an email address that is yours, keep your password to yourself, and pick a username that is not
          your real name and does not pretend to be somebody else. If you are under 13, or younger than your
          country’s age for deciding this yourself, ask a parent first. You can delete your account at any
          time, on your account page.
        </p>
      ),
    },
    {
      id: "behavior",
      title: "In chat and ratings",
      content: (
        <>
          <p>Be somebody you would like to trade with. Not allowed are:</p>
          <ul>
            <li>insults, hate, threats, and anything sexual or violent;</li>
            <li>asking for or sharing personal information, yours or anybody else’s;</li>
            <li>scams, spam, advertising, and links to cheats or item shops;</li>
            <li>ratings for trades that did not happen, or ratings as a threat or a favor.</li>
          </ul>
          <p>
            If you see any of this, report it. Moderators can remove messages and suspend accounts that break
            these rules; <Link to="/safety">Safety</Link> tells how, and how to appeal.
          </p>
        </>
      ),
    },
  ];
}

function aboutPeople(site: SiteConfig): TextSection[] {
  const { siteName, gameName, gameCompany } = site;
  const isDirect = hasDirectChannel(site);
  return [
    {
      id: "your-words",
      title: "What you write",
      content: (
        <p>
          What you write stays yours. You allow us to show it on this site, which is what you post it for.
          When you delete it here, we stop showing it.
        </p>
      ),
    },
    {
      id: "fair-use",
      title: "Using the site fairly",
      content: (
        <p>
          Do not break into the site, get around its limits, or flood it with requests. You may link to it,
          take screenshots and quote values as you like. It is kind to name {siteName} and the date.
        </p>
      ),
    },
    {
      id: "ownership",
      title: "Whose game it is",
      content: (
        <p>
          {siteName} has nothing to do with {gameCompany}, which neither endorses nor checks it. {gameName},
          its names and its marks belong to their owners, and we use the names only to say which items we
          mean. The drawings on this site are our own.
        </p>
      ),
    },
    {
      id: "ads",
      title: "Ads and links",
      content: (
        <p>
          Ads and links to other sites can come from other people. We do not check what they sell and are not
          part of it. If an ad is bad for children,{" "}
          {isDirect ? "tell us and we will take it down" : "say so in the chat, where admins can read it too"}
          .
        </p>
      ),
    },
    {
      id: "promises",
      title: "What we can and cannot promise",
      content: (
        <p>
          The site is free and comes as it is. As far as the law allows, we are not liable for losses from
          using it, such as a trade you regret. Nothing here takes away rights that the law gives you.
        </p>
      ),
    },
    {
      id: "changes",
      title: "Changes and questions",
      content: (
        <p>
          If these rules change, the new ones are on this page from then on. How we treat your data is in the{" "}
          <Link to="/privacy">Privacy Policy</Link>, and questions are welcome{" "}
          {isDirect ? (
            <>
              on the <Link to="/contact">contact page</Link>
            </>
          ) : (
            <>
              in the <Link to="/chat">chat</Link>
            </>
          )}
          .
        </p>
      ),
    },
  ];
}

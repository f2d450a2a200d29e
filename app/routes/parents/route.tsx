import { Link } from "react-router";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { TextPage, type TextSection } from "#app/features/text-page/text-page.tsx";

export const meta = metaOf((site) => ({
  path: "/parents",
  title: "For Parents",
  description: `What ${site.siteName} keeps about your child, what your child can do and see here, how the chat is kept safe, and how to see, export or delete everything.`,
  keywords: ["parents", "children's safety", site.siteName, "parental consent", "safe chat"],
}));

/** What parents want to know before answering, in plain words (P46). */
export default function ParentsRoute() {
  const site = useSiteConfig();
  const lead = (
    <>
      {site.siteName} shows what items of the game {site.gameName} are worth in a trade. Many of the people
      here are children. This page says what we keep about your child, what your child can do, and what you
      can do.
    </>
  );
  return (
    <TextPage title="For Parents" lead={lead} sections={[...whatChildrenDo(site), ...whatParentsDo(site)]} />
  );
}

function whatChildrenDo(site: SiteConfig): TextSection[] {
  const { ageLimit, takesUploads, asksParents } = site;
  return [
    {
      id: "use",
      title: "What your child can do",
      content: (
        <>
          <p>
            Without an account: look up values and use the calculator. With an account: keep trades, read the
            chat, give traders stars, and talk in the chat with ready-made phrases.
          </p>
          <p>
            Before a child first talks to others, we ask for the age group. A child under {ageLimit} cannot
            write messages or comments, choose a username{takesUploads && ", upload a picture"} or appear in
            the list of traders.{" "}
            {asksParents
              ? "A parent can allow all of that."
              : "A parent could allow all of that, but this site sends no email yet, so it cannot ask you."}
          </p>
          {hasDirectChannel(site) && (
            <p>
              We don’t know birthdays. Once your child is {ageLimit}, tell us the username on the{" "}
              <Link to="/contact">contact page</Link>, and a moderator changes the age group.
            </p>
          )}
        </>
      ),
    },
    {
      id: "chat",
      title: "How the chat is kept safe",
      content: (
        <>
          <p>
            There is one room for everybody, and it is about trading. There are no private messages, no calls
            and no files. Every message is checked before anybody sees it: links, email addresses, phone
            numbers, other apps and insults are refused, and words that are not on our list are hidden.
          </p>
          <p>
            Everybody can mute and report others. Moderators look at what was reported, remove it, and silence
            or ban whoever wrote it. Still, no check catches everything: please tell your child never to share
            a name, school, photo or password, and to tell you when somebody asks.
          </p>
        </>
      ),
    },
    {
      id: "kept",
      title: "What we keep",
      content: (
        <>
          <ul>
            <li>the account’s email address and a scrambled password,</li>
            <li>a made-up username, and the age group, but no date of birth,</li>
            <li>saved trades, ratings, and chat messages where you allowed them,</li>
            <li>your own address until you answer, 14 days at most, and while your permission lasts,</li>
            <li>when you were asked, and what you decided.</li>
          </ul>
          <p>
            We keep no real name, no location and no profile of what your child does here. We sell nothing,
            and we don’t choose ads by it. The whole list is in the <Link to="/privacy">Privacy Policy</Link>.
          </p>
        </>
      ),
    },
  ];
}

function whatParentsDo(site: SiteConfig): TextSection[] {
  const data: TextSection = {
    id: "data",
    title: "Seeing, exporting and deleting",
    content: (
      <>
        <p>
          {site.asksParents
            ? "The page behind your link also lets you download everything we keep about your child, and delete the account with all of it, at once. Your child can do both on the "
            : "Your child can download everything we keep, and delete the account with all of it, on the "}
          <Link to="/account">account page</Link>. So that no child becomes an adult by signing up again, we
          keep the age group for 30 more days, under a code made from the account’s email address or phone
          number.
        </p>
        {hasDirectChannel(site) && (
          <p>
            For anything else, the <Link to="/contact">contact page</Link> says how to reach us.
          </p>
        )}
      </>
    ),
  };
  return site.asksParents ? [CONSENT, data] : [data];
}

const CONSENT: TextSection = {
  id: "consent",
  title: "Allowing more, and taking it back",
  content: (
    <>
      <p>
        Your child enters your email address, and we send you one email with a link. On its page you allow or
        refuse. Without an answer everything stays as it is, and your address is deleted within 14 days.
      </p>
      <p>
        You can take your permission back whenever you like, on the same page. The link works for 7 days;
        after that the page <Link to="/parents/consent">sends you a new one</Link>.
      </p>
    </>
  ),
};

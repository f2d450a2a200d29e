import { Link } from "react-router";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import type { TextSection } from "#app/features/text-page/text-page.tsx";
import {
  account,
  browser,
  chat,
  contactSection,
  editing,
  ratings,
  reports,
  trades,
  without,
} from "./stored-sections.tsx";

/** Everything that is stored and sent: whoever changes what the product stores must change this text. */
export function privacySections(site: SiteConfig): TextSection[] {
  return [
    without,
    account,
    trades,
    ratings,
    chat,
    reports,
    editing,
    contactSection(site),
    browser,
    server,
    ads,
    othersSection(site),
    childrenSection(site),
    deletionSection(site),
    changes,
  ];
}

const server: TextSection = {
  id: "server",
  title: "What our server notes",
  content: (
    <p>
      To answer your browser, our server has to see the internet address of your device, as every website
      does. It uses it to answer, and to slow down somebody who sends far too many requests. Its log holds
      errors and the addresses of pages that do not exist, so that we can repair broken links. It counts how
      often the page of each item is opened on a day, so that the items most looked at are checked first: a
      number alone, not who opened it, kept for 7 days. A hosting company that runs the machine may keep logs
      of its own.
    </p>
  ),
};

const ads: TextSection = {
  id: "ads",
  title: "Ads",
  content: (
    <p>
      Some pages have room for ads, and these can come from other companies. Each ad runs in a locked frame:
      it cannot read the page around it, your session or anything you type. Like any picture from another
      website, an ad can still let its company see your internet address and that an ad was shown. Ads here
      are not chosen by what you do on this site, because we do not record that. Places without an ad just say
      “Advertisement”.
    </p>
  ),
};

const CAPTCHA_MAKERS = { hcaptcha: "hCaptcha", turnstile: "Cloudflare" };

const othersSection = ({ captcha }: SiteConfig): TextSection => ({
  id: "others",
  title: "Who else sees your data",
  content: (
    <>
      <p>
        We do not sell or rent data, and we do not give it away. The companies that host our server and
        database, or deliver our emails and text messages, handle it for us where we use them. We hand out
        data only where the law makes us. Links to other sites, such as our social pages, lead to places with
        their own rules.
      </p>
      {captcha && (
        <p>
          The pages where you sign in or prove who you are have a captcha by {CAPTCHA_MAKERS[captcha.maker]},
          against programs that sign up. It comes from that company, which sees your internet address and
          details of your browser and may store something in it.
        </p>
      )}
    </>
  ),
});

const childrenSection = (site: SiteConfig): TextSection => ({
  id: "children",
  title: "Children and parents",
  content: (
    <>
      <p>
        Many of our visitors are under 18, so we ask for as little as possible: no real name, no date of
        birth, no location. Before you first talk to others we ask for your age group, once. We keep the group
        and nothing else of your age; only you see it, and a moderator can change it for you.
      </p>
      <p>
        Whoever is under {site.ageLimit} uses ready-made phrases in the chat until a parent allows more. The
        child enters the parent’s email address; we keep it until the parent answers, 14 days at most, and
        while a permission lasts. We note when a parent was asked and what they decided. What we keep, and how
        a parent sees, exports or deletes it, is on the page <Link to="/parents">For parents</Link>.
      </p>
      <p>
        Never share your real name, school, address, phone number or passwords in the chat, in a rating or in
        a username, and tell an adult if somebody asks for them. You can report any message, name, picture and
        rating.
      </p>
    </>
  ),
});

const deletionSection = (site: SiteConfig): TextSection => ({
  id: "deletion",
  title: "Seeing, changing and deleting your data",
  content: (
    <p>
      You can change your username and picture, delete saved trades and chat messages, and hide your trader
      card yourself. A copy of everything we store about you can be downloaded on{" "}
      <Link to="/account">your account page</Link>. You can also delete your whole account there, at once and
      by yourself: its email address, profile, picture, trades, ratings, messages, mutes, reports and our log
      of its sign-ins go with it.{" "}
      {hasDirectChannel(site) && (
        <>
          If you can no longer sign in, ask us through a channel on the{" "}
          <Link to="/contact">contact page</Link>.{" "}
        </>
      )}
      So that nobody gets rid of it by signing up again, what moderators decided about you stays while it
      counts, and for 30 days that you are under {site.ageLimit}, both under a code made from your email
      address, your phone number or your id at the service you sign in with, not under these themselves. When
      we delete an account for somebody, our log keeps its address for 90 days. Copies in backups disappear
      when those backups are replaced.
    </p>
  ),
});

const changes: TextSection = {
  id: "changes",
  title: "When this page changes",
  content: (
    <p>If we store something new, we say so here first. This page always describes the site as it is now.</p>
  ),
};

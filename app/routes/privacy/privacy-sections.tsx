import { Link } from "react-router";
import type { KeptName } from "#app/features/browser-storage/kept-keys.ts";
import { hasDirectWay } from "#app/features/contact/contact-ways.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import type { TextSection } from "#app/features/text-page/text-page.tsx";

/** What is stored and sent, and nothing else: whoever changes what the product stores changes this text. */
export function privacySections(site: SiteConfig): TextSection[] {
  return [
    without,
    account,
    trades,
    ratings,
    chat,
    contactSection(site),
    browser,
    server,
    ads,
    others,
    childrenSection(site),
    deletionSection(site),
    changes,
  ];
}

const without: TextSection = {
  id: "without-account",
  title: "Without an account",
  content: (
    <>
      <p>
        You can browse values, open items and use the calculator without telling us anything. We do not use
        cookies, visitor counters, analytics or fingerprints, and we build no profile of you.
      </p>
      <p>
        A trade in the calculator lives in the address of the page. It reaches other people only if you send
        them the link.
      </p>
    </>
  ),
};

const account: TextSection = {
  id: "account",
  title: "Your account",
  content: (
    <>
      <p>If you sign up, we store:</p>
      <ul>
        <li>
          <strong>Your email address</strong>, to sign you in and to help you when you forget your password.
          It is never shown to other players.
        </li>
        <li>
          <strong>Your password, scrambled.</strong> We keep a hash, from which nobody can read the password
          back, not even us.
        </li>
        <li>
          <strong>Your username and picture.</strong> You start with a made-up username, and you can change
          it. Other players see both. Please do not use your real name.
        </li>
        <li>
          <strong>When you signed up and signed in</strong>, and which of your sign-ins are still open, each
          with its browser and internet address, so that they can be ended. For 90 days we also keep a log of
          sign-ins and changes to your account, so that misuse can be found.
        </li>
        <li>
          <strong>The key of your authenticator app</strong>, encrypted, and the public halves of your
          passkeys and security keys, if you set any up. Your fingerprint and your face never leave your
          device.
        </li>
        <li>
          <strong>Your phone number</strong>, only if you choose codes by text message as a second step of
          signing in. It is never shown to other players.
        </li>
      </ul>
    </>
  ),
};

const trades: TextSection = {
  id: "trades",
  title: "Trades you save",
  content: (
    <p>
      Saving a trade stores its items, their values at that moment, the totals, the time, and the name of your
      trading partner if you typed one. Only you can see your saved trades, and you can delete each of them on
      the <Link to="/history">history page</Link>. Trades that you do not save are not stored. A trade you ask
      to keep before you log in waits in your browser, and goes into the history of the account that is next
      logged in to there.
    </p>
  ),
};

const ratings: TextSection = {
  id: "ratings",
  title: "Ratings",
  content: (
    <p>
      When you rate a trader, everybody can see your stars, your comment and your username. There is one
      rating from you for each trader; rating again replaces it. You can hide your own card and the ratings on
      it in your account; the ratings that you gave then stay, without your name.
    </p>
  ),
};

const chat: TextSection = {
  id: "chat",
  title: "Chat",
  content: (
    <p>
      Chat messages are stored with your username and the time, and everybody who is signed in can read them.
      While you have the chat open, the others there see your username among those who are here; that is not
      stored. You can delete your own messages: nobody sees them any more, only admins still can for one day,
      in case somebody reports one, and then they are gone for good. A report is stored with the message, so
      that an admin can look at it. Whom you mute is stored too, and only you see it. Links, email addresses
      and phone numbers are refused, and insults are filtered, to keep everybody safer. An admin can delete a
      message, and can ask a person to be silent for a time: why and until when is stored for that person and
      the admins, and what admins did is kept for them. When an account is deleted, that list forgets what it
      held of the person.
    </p>
  ),
};

function contactSection(site: SiteConfig): TextSection {
  return {
    id: "contact",
    title: "The contact form",
    content:
      site.contactDelivery === "database" ? (
        <p>
          When you send the form on the <Link to="/contact">contact page</Link>, we store your name, your
          email address, the subject, your message and the time. Only the people who run this site can read
          it. We use it to answer you, and for nothing else.
        </p>
      ) : (
        <p>
          What you type into the form on the <Link to="/contact">contact page</Link> stays in your browser. It
          is not sent to us and not stored.{" "}
          {hasDirectWay(site)
            ? "If you write to us through another channel on that page, that channel’s own rules apply."
            : "The one way to reach us is the chat, and everybody who is signed in reads it."}
        </p>
      ),
  };
}

/** What each kept thing is; the type asks for a sentence for every one that there is. */
const WHAT_IS_KEPT: Record<KeptName, string> = {
  theme: "your choice of light or dark colours, if you made one;",
  session:
    "your session while you are signed in, removed when you log out, and what shows that a link we mailed you belongs to this browser;",
  scrollPositions: "how far you scrolled each page, for the way back, until you close the tab;",
  visitorTrade: "trades that you wanted to keep before you logged in, until they are in your history;",
  chatDraft: "what you are typing in the chat, until you send it or close the tab;",
  chatUnsent: "chat messages that could not be sent yet, until they are sent or you close the tab;",
  adminFieldConfig: "for admins only: which fields the item form shows, under the name adminFieldConfig;",
  adminFolded: "for admins only: which parts of the admin area are folded;",
  adminItemDraft: "for admins only: what they typed into an item’s form and did not save yet.",
};

const browser: TextSection = {
  id: "browser",
  title: "What stays in your browser",
  content: (
    <>
      <p>
        Your browser keeps a few things for this site in its own storage. They are not cookies, and they are
        not used to follow you:
      </p>
      <ul>
        {Object.entries(WHAT_IS_KEPT).map(([name, what]) => (
          <li key={name}>{what}</li>
        ))}
      </ul>
      <p>You can remove all of it at any time by clearing this site’s data in your browser.</p>
    </>
  ),
};

const server: TextSection = {
  id: "server",
  title: "What our server notes",
  content: (
    <p>
      To answer your browser, our server has to see the internet address of your device, as every website
      does. It uses it to answer, and to slow down somebody who sends far too many requests. Its log holds
      errors and the addresses of pages that do not exist, so that we can repair broken links. A hosting
      company that runs the machine may keep logs of its own.
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

const others: TextSection = {
  id: "others",
  title: "Who else sees your data",
  content: (
    <p>
      We do not sell or rent data, and we do not give it away. The companies that host our server and
      database, or deliver our emails, handle it for us where we use them. We hand out data only where the law
      makes us. Links to other sites, such as our social pages, lead to places with their own rules.
    </p>
  ),
};

const childrenSection = (site: SiteConfig): TextSection => ({
  id: "children",
  title: "Children and parents",
  content: (
    <>
      <p>
        Many of our visitors are under 18, so we ask for as little as possible: no real name, no age, no phone
        number, no place. If you are under 13, or younger than your country’s age for deciding this yourself,
        ask a parent before you make an account.
      </p>
      <p>
        Never share your real name, school, address, phone number or passwords in the chat, in a rating or in
        a username, and tell an adult if somebody asks for them. You can report any message in the chat.
      </p>
      {hasDirectWay(site) ? (
        <p>
          Parents can ask us what we store about their child and have it deleted. The{" "}
          <Link to="/contact">contact page</Link> says how to reach us.
        </p>
      ) : (
        <p>
          Parents can download what we store about their child, and delete it, together with the child on the
          child’s <Link to="/account">account page</Link>.
        </p>
      )}
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
      {hasDirectWay(site) && (
        <>
          If you cannot sign in any more, ask us through a channel on the{" "}
          <Link to="/contact">contact page</Link>.{" "}
        </>
      )}
      When we delete an account for somebody, our log keeps its address for 90 days. Copies in backups
      disappear when those backups are replaced.
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

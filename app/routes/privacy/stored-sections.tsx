import { Link } from "react-router";
import type { KeptName } from "#app/features/browser-storage/kept-keys.ts";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import type { TextSection } from "#app/features/text-page/text-page.tsx";

export const without: TextSection = {
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

export const account: TextSection = {
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
          <strong>Which account of yours elsewhere you sign in with</strong>, if you choose to: its number
          there and its email address, and whether that is confirmed. We never take over its name or picture.
          When you begin to sign in there, a cookie tells for an hour that you are the one who comes back.
        </li>
        <li>
          <strong>Your username and picture.</strong> You start with a made-up username, and you can change
          it. Other players see both. Please do not use your real name.
        </li>
        <li>
          <strong>When you signed up and signed in</strong>, and which of your sign-ins are still open, each
          with its browser and internet address, so that they can be ended. For 90 days we also keep a log of
          sign-ins and changes to your account, so that misuse can be found. Of the last 50 browsers that
          opened your account we keep a scrambled mark and when it was seen, so that we can tell you of a new
          one.
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

export const trades: TextSection = {
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

export const ratings: TextSection = {
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

export const chat: TextSection = {
  id: "chat",
  title: "Chat",
  content: (
    <p>
      Chat messages are stored with your username and the time, and everybody who is signed in can read them.
      While you have the chat open, the others there see your username among those who are here; that is not
      stored. You can delete your own messages: nobody sees them anymore. Only moderators still can, for one
      day, in case somebody reports one; then they are gone for good. The same goes for words that were hidden
      from others; those of a reported message are kept until a moderator has decided. Your reactions, who you
      answer and who you mention are stored with the messages, and everybody in the chat sees them. Who you
      mute is stored, too, and only you see it. Links, email addresses and phone numbers are refused, and
      insults are filtered, to keep everybody safer. When an account is deleted, its messages go with it.
    </p>
  ),
};

export const reports: TextSection = {
  id: "reports",
  title: "Reports and what moderators do",
  content: (
    <p>
      A report is stored with what was reported as it was, so that a moderator can look at it; a picture that
      was reported stays until then. The person is not told who reported it. What a moderator did about a
      person, why and until when is stored. The person can read it in the account. So can the moderators,
      along with their notes and what the person says against it. When somebody’s texts are refused again and
      again within a day, moderators are told how often and why, and the texts are not kept. When an account
      is deleted, what this list says about the person goes with it. <Link to="/safety">Safety</Link> explains
      how all this works, and how often it happens.
    </p>
  ),
};

export const editing: TextSection = {
  id: "editing",
  title: "Who changes values",
  content: (
    <p>
      Which editor made a change is stored with it, and only editors can read it. Everybody else reads the
      role alone, unless the editor chose a public name: it stands beside that editor’s changes until the
      editor removes it, and then it is gone everywhere. A screenshot that an editor adds is drawn anew in the
      editor’s browser, without what the camera or the phone wrote into it. Only editors see it until another
      one has allowed it. When an editor’s account is deleted, its screenshots and its public name go with it;
      the changes stay, with the role and without a person. Editors and moderators who ask for it get the news
      of their work by mail, at most once in six hours, and can end that at any time.
    </p>
  ),
};

export function contactSection(site: SiteConfig): TextSection {
  return {
    id: "contact",
    title: "The contact form",
    content:
      site.contactDelivery !== "none" ? (
        <p>
          When you send the form on the <Link to="/contact">contact page</Link>, we store your name, your
          email address, the subject, your message and the time.{" "}
          {site.contactDelivery === "email" &&
            "A copy goes to our own mailbox, whose provider stores it like any email. "}
          Only the people who run this site can read it. We use it to answer you, and for nothing else.
        </p>
      ) : (
        <p>
          What you type into the form on the <Link to="/contact">contact page</Link> stays in your browser. It
          is not sent to us and not stored.{" "}
          {hasDirectChannel(site)
            ? "If you write to us through another channel on that page, that channel’s own rules apply."
            : "The one way to reach us is the chat, which everyone who is signed in can read."}
        </p>
      ),
  };
}

/** What each storage key holds; the type requires a sentence for every key. */
const WHAT_IS_KEPT: Record<KeptName, string> = {
  theme: "your choice of light or dark colors, if you made one;",
  itemView: "whether you want the values as a list or as cards, if you chose;",
  recentItems: "the last few items that you put into the calculator, so that you find them again quickly;",
  session:
    "your session while you are signed in, removed when you log out, and what shows that a link we mailed you belongs to this browser;",
  browserMark:
    "a random ID for this browser, made when you first log in and kept when you log out, so that we can email you when a device that your account doesn’t know logs in;",
  scrollPositions: "how far you scrolled each page, for the way back, until you close the tab;",
  pageFades: "which pages you went between, so that going back looks the same, until you close the tab;",
  visitorTrade: "trades that you wanted to keep before you logged in, until they are in your history;",
  chatDraft: "what you are typing in the chat and whom it is for, until you send it or close the tab;",
  chatUnsent: "chat messages that could not be sent yet, until they are sent or you close the tab;",
  typedTexts:
    "what you typed into the contact form, an appeal, a rating or an answer to one, a new username, “Traded with” in the calculator or, as a moderator, an editor or an admin, a note about a case, a note to a decision, a cell of the value grid, an ad’s code, a new category or field, or an update of the game, until you send it or close the tab;",
  knownWords:
    "the words that people may write to each other here, the same for everybody, once you write something: it marks what others wouldn’t see;",
  adminFieldConfig: "for admins only: which fields the item form shows, under the name adminFieldConfig;",
  adminFolded: "for admins only: which parts of the admin area are folded;",
  adminItemDraft: "for admins and editors only: what they typed into an item’s form and did not save yet;",
  adminGrid:
    "for editors only: what they typed into the value grid and did not publish yet, and the filters they saved there.",
};

export const browser: TextSection = {
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
      <p>
        It also keeps a copy of the public pages, their pictures and the calculator, with the date of the
        copy, so that you can look up values without a connection. The copy is the same for everybody: it
        never holds your account, your trades, the chat, or what people wrote.
      </p>
      <p>You can remove all of it at any time by clearing this site’s data in your browser.</p>
    </>
  ),
};

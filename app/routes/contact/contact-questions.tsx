import { Link } from "react-router";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { Disclosure } from "#app/ui/disclosure.tsx";

/** Frequently asked questions with collapsible answers (2.contact.04). */
export function ContactQuestions({ site }: { site: SiteConfig }) {
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

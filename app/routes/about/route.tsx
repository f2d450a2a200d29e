import { metaOf } from "#app/features/site/page-meta.ts";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { TextPage, type TextSection } from "#app/features/text-page/text-page.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";

export const meta = metaOf((site) => ({
  path: "/about",
  title: `About ${site.siteName}`,
  description: `What ${site.siteName} is, where its ${site.gameName} values come from, how they are checked, and what they cannot tell you.`,
  keywords: [
    "about",
    site.siteName,
    `${site.gameName} trading values`,
    "how values are made",
    "community values",
  ],
}));

export default function AboutRoute() {
  const site = useSiteConfig();
  const lead = (
    <>
      {site.siteName} helps players of {site.gameName} see what an item is worth to other players, before they
      say yes to a trade. It is free, and most of it needs no account.
    </>
  );
  return (
    <TextPage
      title={`About ${site.siteName}`}
      lead={lead}
      sections={[...aboutValues(site), ...aboutVerdicts(site)]}
    >
      <Onward />
    </TextPage>
  );
}

function aboutValues({ gameName }: SiteConfig): TextSection[] {
  return [
    {
      id: "what",
      title: "What you can do here",
      content: (
        <ul>
          <li>
            <strong>Look up values.</strong> Every item shows its value, its price in the game, how much
            people want it, and how its value has moved.
          </li>
          <li>
            <strong>Weigh a trade.</strong> Put your items on one side and theirs on the other. The calculator
            adds them up and tells you who gives more. You can send the trade to a friend as a link.
          </li>
          <li>
            <strong>Trade with people you can trust.</strong> With an account you can save trades, rate the
            people you traded with, and talk to others in the chat.
          </li>
        </ul>
      ),
    },
    {
      id: "values",
      title: "Where the values come from",
      content: (
        <>
          <p>
            {gameName} has no official price list for trades. A value here is what players have been giving
            for an item lately. The first values on this site were collected from public lists that the
            community keeps. Since then, the people who run this site enter each change by hand.
          </p>
          <p>
            Fruits have two values. <strong>Regular</strong> is the fruit you can hold and lose.{" "}
            <strong>Permanent</strong> is the one you keep for good, and it is usually worth much more. The
            two are never mixed.
          </p>
          <p>
            Where nobody knows a fair value, we show a dash and call the item unpriced. That is not the same
            as worthless, so the calculator does not judge a trade with an unpriced item in it.
          </p>
        </>
      ),
    },
    {
      id: "checks",
      title: "How we keep them honest",
      content: (
        <>
          <p>
            Every change of a value is written into a ledger: the old value, the new one and the day. Lines
            can be added to that ledger but never changed or removed, not even by admins. The chart on each
            item’s page is drawn from it. Where we have no readings for a while, the chart shows a gap instead
            of a guess.
          </p>
          <p>
            A value can be right without changing. That is why each item also says when its value was last{" "}
            <em>checked</em>. The older that check is, the more careful you should be.
          </p>
        </>
      ),
    },
  ];
}

function aboutVerdicts({ gameName, gameCompany }: SiteConfig): TextSection[] {
  return [
    {
      id: "verdict",
      title: "How the calculator decides",
      content: (
        <>
          <p>The calculator takes your total minus their total.</p>
          <ul>
            <li>
              No difference is a <strong>Fair Trade</strong>.
            </li>
            <li>
              Less than 10% of your total is <strong>Slightly Uneven</strong>.
            </li>
            <li>
              From 10% on, <strong>You’re Overpaying</strong> if you give more and{" "}
              <strong>You’re Winning</strong> if they do.
            </li>
          </ul>
          <p>
            Demand stands beside it, because an item that everybody wants is easier to trade on than one of
            the same value that nobody asks for. It is the average of the items on a side: low counts 1,
            medium 2, high 3 and very high 4.
          </p>
        </>
      ),
    },
    {
      id: "limits",
      title: "What values cannot tell you",
      content: (
        <p>
          A value is an opinion with numbers in it. Updates to the game can change it overnight, and two
          players may agree on something else and both be happy. Use it as a compass, take your time, and
          never let anybody rush you into a trade.
        </p>
      ),
    },
    {
      id: "independent",
      title: "Who we are not",
      content: (
        <p>
          We are fans, not the makers of the game. This site is not run, checked or supported by {gameCompany}
          , and {gameName} belongs to its owners. The pictures of items are our own drawings. We never ask for
          your game password, and we do not sell items.
        </p>
      ),
    },
  ];
}

function Onward() {
  return (
    <nav aria-label="Go on from here" className="mt-8 flex flex-wrap gap-3">
      <LinkButton to="/values" variant="primary">
        Browse the values
      </LinkButton>
      <LinkButton to="/calculator">Open the calculator</LinkButton>
      <LinkButton to="/community">Meet the community</LinkButton>
    </nav>
  );
}

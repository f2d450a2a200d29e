import { Link } from "react-router";
import { hasDirectChannel } from "#app/features/contact/contact-channels.ts";
import { DateText } from "#app/features/items/date-text.tsx";
import { listLastChecks } from "#app/features/items/item-queries.ts";
import { useLiveCatalogue } from "#app/features/items/use-live-catalogue.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { readAtContext, supabaseContext } from "#app/server-context.ts";
import { Stat } from "#app/ui/stat.tsx";
import { medianDay } from "#domain/text/dates.ts";
import type { Route } from "./+types/route.ts";
import { type MeasuredCategory, type MeasuredPeriod, readAccuracy } from "./accuracy-queries.ts";

const DAY = 86_400_000;
/** The reasons of changes that corrected an error. */
const CORRECTIONS = ["correction", "undo"];

export async function loader({ context }: Route.LoaderArgs) {
  const client = context.get(supabaseContext);
  const now = context.get(readAtContext);
  const since = (days: number) => new Date(now - days * DAY).toISOString();
  const countChanges = () =>
    client
      .from("item_value_changes")
      .select("id", { count: "exact", head: true })
      .gte("changed_at", since(30));
  const [items, made, corrected, accuracy] = await Promise.all([
    listLastChecks(client),
    countChanges(),
    countChanges().in("reason_code", CORRECTIONS),
    readAccuracy(client),
  ]);
  const checks = items?.map(({ values_checked_at }) => new Date(values_checked_at).toISOString());
  return {
    checks: checks && {
      items: checks.length,
      thisWeek: checks.filter((checked) => checked >= since(7)).length,
      median: medianDay(checks),
    },
    changes: made.error ? null : made.count,
    corrections: corrected.error ? null : corrected.count,
    accuracy,
    readAt: context.get(readAtContext),
  };
}

export const meta = metaOf((site) => ({
  path: "/method",
  title: "How Values Come About",
  description: `Who sets the values at ${site.siteName}, what it means that a value was checked, and how fresh they are right now.`,
  keywords: ["method", "how values come about", "value checks", site.siteName],
}));

/** Who makes the values and what they are based on, with current figures. */
export default function Method({ loaderData }: Route.ComponentProps) {
  useLiveCatalogue(loaderData.readAt);
  const site = useSiteConfig();
  const { siteName } = site;
  return (
    <div className="page grid gap-6">
      <header className="prose">
        <h1>How Values Come About</h1>
        <p className="text-lg">A value is somebody’s judgment of what traders give for an item right now.</p>
      </header>
      <Freshness {...loaderData} />
      <section className="prose">
        <h2>Who sets them</h2>
        <p>
          The admins and editors of {siteName}, and nobody else: no computer guesses a value, and no visitor
          can change one. Each change tells the role of whoever made it, and a name where they chose one for
          it. If you think that one is wrong,{" "}
          {hasDirectChannel(site) ? (
            <Link to="/contact">tell us</Link>
          ) : (
            <Link to="/chat">tell us in the chat</Link>
          )}{" "}
          and say why.
        </p>
        <h2>What “checked” means</h2>
        <p>
          On that day one of them looked at the item and changed its value or found it still right. A value
          that nobody has checked for weeks may be far off, however exact it looks. The lists say so at their
          top when half of their values are older than a week.
        </p>
        <h2 id="confidence">How sure we are</h2>
        <p>
          No value is exact. Beside each stands what it may be off by. An editor says so where that is known;
          everywhere else it is 5% to both sides, and 1% more for each week since somebody looked, up to 25%.
          The calculator calls an uneven trade “fair within what we know” when both sides could be worth the
          same.
        </p>
        <dl>
          <dt>High confidence</dt>
          <dd>
            Somebody looked in the last 7 days, it was looked at three times or more in the last 90, counting
            a day’s confirmations once, and what was found lies within 15% of the value.
          </dd>
          <dt>Medium confidence</dt>
          <dd>Something in between.</dd>
          <dt>Low confidence</dt>
          <dd>
            Nobody has looked for more than 30 days, or what was found lies further apart than half the value.
            So it is after an update of the game, for what the update touched: until its values have settled,
            they are marked as volatile and may be off by twice as much.
          </dd>
        </dl>
        <Accuracy accuracy={loaderData.accuracy} />
        <h2>What is kept</h2>
        <p>
          Every change, with the value before it and the reason that was written down. Nobody can edit that
          list or take a line out of it; a value that was wrong is put right by one more change. You can{" "}
          <Link to="/changes">read all changes</Link>, and each item’s page has its own. Those whose reason is
          “Reading of a public value list” are from before {siteName} kept its own.
        </p>
        <h2>Regular and permanent</h2>
        <p>
          An item that can be had for good has two values that are set apart from each other. The mode above a
          list says which of them it shows. A dash stands for a value that nobody knows.
        </p>
      </section>
    </div>
  );
}

type Figures = Pick<Route.ComponentProps["loaderData"], "checks" | "changes" | "corrections">;

function Freshness({ checks, changes, corrections }: Figures) {
  return (
    <section aria-label="Right now">
      <dl className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {checks?.median && (
          <Stat size="big" label="Half of all items were checked since">
            <DateText date={checks.median} />
          </Stat>
        )}
        {checks && (
          <Stat size="big" label="Checked in the last 7 days">
            {checks.thisWeek} of {checks.items} items
          </Stat>
        )}
        {changes !== null && (
          <Stat size="big" label="Changes in the last 30 days">
            {changes}
          </Stat>
        )}
        {corrections !== null && (
          <Stat size="big" label="Corrections among them">
            {corrections}
          </Stat>
        )}
      </dl>
    </section>
  );
}

/** How close values were to prices paid, or that it is unknown; never a figure from too few trades. */
function Accuracy({ accuracy }: { accuracy: readonly MeasuredPeriod[] }) {
  return (
    <>
      <h2 id="accuracy">How close values come</h2>
      <p>
        A value is held against the median of the trades that both sides confirmed in the days after it. Saved
        trades do not count: they are what-ifs. Below 20 confirmed trades of a category nothing is said of it.
      </p>
      {accuracy.map(({ days, categories }) => (
        <div key={days}>
          <h3>After {days} days</h3>
          <Period categories={categories} />
        </div>
      ))}
    </>
  );
}

function Period({ categories }: Pick<MeasuredPeriod, "categories">) {
  if (categories === null) return <p>This can’t be loaded right now.</p>;
  if (!categories.some(isEnough)) return <p>There are not enough confirmed trades yet to say anything.</p>;
  return (
    <ul>
      {categories.map(({ category, trades, median_error }) => (
        <li key={category}>
          {category}:{" "}
          {median_error === null
            ? `not enough confirmed trades (${trades} of 20)`
            : `half of the values were within ${median_error}% of what was paid, by ${trades} confirmed trades`}
        </li>
      ))}
    </ul>
  );
}

const isEnough = ({ median_error }: MeasuredCategory) => median_error !== null;

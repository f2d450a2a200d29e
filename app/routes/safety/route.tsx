import { ScrollRegion } from "#app/ui/scroll-region.tsx";
import "./safety.css";
import { Link } from "react-router";
import { ignoreFailedRead } from "#app/features/failed-reads/ignore-failed-read.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { TextPage, type TextSection } from "#app/features/text-page/text-page.tsx";
import { supabaseContext } from "#app/server-context.ts";
import type { Database } from "#supabase/database.types.ts";
import type { Route } from "./+types/route.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const counted = await context.get(supabaseContext).rpc("count_moderation", {}, { get: true });
  return { months: ignoreFailedRead(counted, null) };
}

export const meta = metaOf((site) => ({
  path: "/safety",
  title: "Safety",
  description: `How people at ${site.siteName} report what is wrong, what moderators do, how to appeal, and how often that happens, month by month.`,
  keywords: ["safety", "reports", "moderation", "appeals", site.siteName],
}));

const SECTIONS: readonly TextSection[] = [
  {
    id: "reporting",
    title: "Reporting",
    content: (
      <p>
        Anybody who is logged in can report a message, a name, a picture, a rating or an answer to one. We
        keep what was reported as it was until a moderator has looked at it, and we don’t tell the person who
        reported it. Your <Link to="/account">account page</Link> says what became of your reports.
      </p>
    ),
  },
  {
    id: "moderators",
    title: "What moderators do",
    content: (
      <p>
        They can remove a message, a comment or a picture, ask for another name, stop somebody from writing in
        the chat for a time, or suspend an account. The person is always told why. Each of these counts as a
        strike for 30 days, a suspension for 90. Whoever has three strikes at a time can do less here.
      </p>
    ),
  },
  {
    id: "appeals",
    title: "Appeals",
    content: (
      <p>
        Whoever thinks that a moderator was wrong can appeal each decision once. Another moderator answers, if
        there is one.
      </p>
    ),
  },
];

/** How reports are handled, in plain words, and how many there were. */
export default function SafetyRoute({ loaderData: { months } }: Route.ComponentProps) {
  const { siteName } = useSiteConfig();
  return (
    <TextPage
      title="Safety"
      lead={`What happens when something at ${siteName} is wrong.`}
      sections={SECTIONS}
    >
      {months && <MonthTable months={months} />}
    </TextPage>
  );
}

type Month = Database["public"]["Functions"]["count_moderation"]["Returns"][number];

const NAME = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** Reports and their outcomes, latest month first. */
function MonthTable({ months }: { months: readonly Month[] }) {
  return (
    <section className="mt-10 grid gap-3" aria-labelledby="months">
      <h2 id="months">Month by month</h2>
      <p className="text-muted">
        Numbers below five are not shown, since they might be about one person. Reports about accounts that
        have been deleted since are not counted.
      </p>
      <ScrollRegion label="Month by month, a table" className="rounded-md border border-line">
        <table className="month-table figures">
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Reports</th>
              <th scope="col">Acted on</th>
              <th scope="col">Half looked at within</th>
              <th scope="col">Appeals</th>
              <th scope="col">Granted</th>
            </tr>
          </thead>
          <tbody>
            {months.map((each) => (
              <tr key={each.month}>
                <th scope="row">{NAME.format(new Date(each.month))}</th>
                <td>{orFew(each.reports)}</td>
                <td>{orFew(each.acted_on)}</td>
                <td>{each.median_minutes === null ? "–" : nameSpan(each.median_minutes)}</td>
                <td>{orFew(each.appeals)}</td>
                <td>{orFew(each.appeals_granted)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

function orFew(count: number | null): string {
  return count === null ? "fewer than 5" : count.toLocaleString("en-US");
}

function nameSpan(minutes: number): string {
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`;
}

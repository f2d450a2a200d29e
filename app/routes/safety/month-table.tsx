import type { Database } from "#supabase/database.types.ts";

type Month = Database["public"]["Functions"]["count_moderation"]["Returns"][number];

const NAME = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** Reports and their outcomes, latest month first. */
export function MonthTable({ months }: { months: readonly Month[] }) {
  return (
    <section className="mt-10 grid gap-3" aria-labelledby="months">
      <h2 id="months">Month by month</h2>
      <p className="text-muted">
        Numbers below five are not shown, since they might be about one person. Reports about accounts that
        have been deleted since are not counted.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll it */}
      <section aria-label="Month by month, a table" className="month-scroll" tabIndex={0}>
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
      </section>
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

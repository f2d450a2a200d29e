import { Link } from "react-router";
import { ignoreFailedRead } from "#app/features/failed-reads/ignore-failed-read.ts";
import { metaOf } from "#app/features/site/page-meta.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { TextPage, type TextSection } from "#app/features/text-page/text-page.tsx";
import { supabaseContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";
import { MonthTable } from "./month-table.tsx";
import "./safety.css";

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

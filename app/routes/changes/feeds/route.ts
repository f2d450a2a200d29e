import { siteContext, supabaseContext } from "#app/server-context.ts";
import { parseChangeQuery } from "../change-query.ts";
import { readChanges } from "../read-changes.ts";
import type { Route } from "./+types/route.ts";
import { atomFeed } from "./atom-feed.ts";
import { jsonFeed } from "./json-feed.ts";

const FEEDS = {
  "changes.atom": { type: "application/atom+xml; charset=utf-8", write: atomFeed },
  "changes.json": { type: "application/json", write: jsonFeed },
};

/** `/feeds/changes.atom` and `/feeds/changes.json`: the latest 50 changes for the query, as on /changes. */
export async function loader({ context, params: { file }, request }: Route.LoaderArgs) {
  if (!Object.hasOwn(FEEDS, file)) return new Response(null, { status: 404 });
  const { type, write } = FEEDS[file as keyof typeof FEEDS];
  const { search } = new URL(request.url);
  const read = await readChanges(context.get(supabaseContext), parseChangeQuery(search));
  if (!read) return new Response("Changes can't be loaded right now\n", { status: 503 });
  const text = write(context.get(siteContext), `/feeds/${file}${search}`, read);
  return new Response(text, { headers: { "content-type": type } });
}

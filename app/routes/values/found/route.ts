import { supabaseContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";
import { readValues } from "./read-values.ts";

/** A page of a long catalogue's matching items, for an open list. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const values = await readValues(context.get(supabaseContext), new URL(request.url).search);
  return values ? Response.json(values.found) : new Response(null, { status: 503 });
}

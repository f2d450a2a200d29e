import { redirect } from "react-router";
import { findSlugAfter } from "#app/features/items/item-queries.ts";
import { supabaseContext } from "#app/server-context.ts";
import type { Route } from "./+types/item-route.ts";
import { answerPreview } from "./draw-preview.ts";
import { drawItem, readItem } from "./item-preview.ts";

/** `/share/fruits/{slug}.png`: a redirect from a former slug, 404 for an unknown one, 503 if it could not be read. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const [, slug] = /^(.+)\.png$/.exec(params.file) ?? [];
  if (!slug) return new Response(null, { status: 404 });
  const client = context.get(supabaseContext);
  const { reading, failed } = await readItem(client, slug);
  if (failed) return new Response(null, { status: 503 });
  if (reading) return answerPreview(context, (read) => drawItem(reading, read));
  const now = await findSlugAfter(client, slug);
  if (now.slug) return redirect(`/share/fruits/${now.slug}.png`);
  return new Response(null, { status: now.failed ? 503 : 404 });
}

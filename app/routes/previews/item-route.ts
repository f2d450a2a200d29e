import { supabaseContext } from "#app/server-context.ts";
import type { Route } from "./+types/item-route.ts";
import { answerPreview } from "./draw-preview.ts";
import { drawItem, readItem } from "./item-preview.ts";

/** `/share/fruits/{slug}.png`: 404 for an unknown item, 503 when it could not be read. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const [, slug] = /^(.+)\.png$/.exec(params.file) ?? [];
  const { reading, failed } = slug
    ? await readItem(context.get(supabaseContext), slug)
    : { reading: null, failed: false };
  if (!reading) return new Response(null, { status: failed ? 503 : 404 });
  return answerPreview(context, (read) => drawItem(reading, read));
}

import { listCalculatorItems } from "#app/features/items/item-queries.ts";
import { makeOffer } from "#app/features/trades/offer.ts";
import { supabaseContext } from "#app/server-context.ts";
import { parseTrade } from "#domain/trades/trade-url.ts";
import type { Route } from "./+types/trade-route.ts";
import { answerPreview } from "./draw-preview.ts";
import { drawTrade } from "./trade-preview.ts";

/** `/share/trade.png?you=…&them=…`, by the query of the trade's own link; 503 if the items could not be read. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const items = await listCalculatorItems(context.get(supabaseContext));
  if (!items) return new Response(null, { status: 503 });
  const bySlug = new Map(items.map((item) => [item.slug, item]));
  const trade = parseTrade(new URL(request.url).search);
  const [yours, theirs] = [makeOffer(trade.you, bySlug), makeOffer(trade.them, bySlug)];
  return answerPreview(context, (read) => drawTrade(yours, theirs, read));
}

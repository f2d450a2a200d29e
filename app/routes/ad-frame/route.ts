import { AD_POLICY, adDocument } from "#app/features/ads/ad-document.ts";
import { findAdCode } from "#app/features/ads/ad-queries.ts";
import { isPlacement } from "#app/features/ads/placement.ts";
import { supabaseContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";

/** The document of an ad, for the frame of its slot; 404 where there is no ad to show. */
export async function loader({ params, context }: Route.LoaderArgs): Promise<Response> {
  const code = isPlacement(params.placement)
    ? await findAdCode(context.get(supabaseContext), params.placement)
    : null;
  return new Response(adDocument(code ?? ""), {
    status: code === null ? 404 : 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": AD_POLICY,
      "Cache-Control": "no-cache",
    },
  });
}

import { AD_POLICY, adDocument, PREVIEW_DOCUMENT } from "#app/features/ads/ad-document.ts";
import { findAdCode } from "#app/features/ads/ad-queries.ts";
import { isPlacement } from "#app/features/ads/placement.ts";
import { supabaseContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";

/**
 * The document of an ad, for the frame of its slot; 404 if there is no ad to show. Under `preview`, a document that
 * receives its ad from the surrounding page, under the same policy.
 */
export async function loader({ params, context }: Route.LoaderArgs): Promise<Response> {
  if (params.placement === "preview") return respond(PREVIEW_DOCUMENT, 200);
  const code = isPlacement(params.placement)
    ? await findAdCode(context.get(supabaseContext), params.placement)
    : null;
  return respond(adDocument(code ?? ""), code === null ? 404 : 200);
}

function respond(html: string, status: number): Response {
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": AD_POLICY,
      "Cache-Control": "no-cache",
    },
  });
}

import { useScriptNonce } from "#app/script-nonce.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";

/**
 * Only for public pages; other pages read the session in the browser, so that their documents hold no content yet. Only
 * in the document: hydration leaves it as it is.
 */
const RULES = import.meta.env.SSR
  ? JSON.stringify({
      prefetch: [
        { where: { href_matches: ["/", "/values", "/fruits/*", "/calculator"] }, eagerness: "moderate" },
      ],
    })
  : "";

/**
 * Speculation rules until hydration: on a slow phone, links are plain links until then. Afterwards the router
 * prefetches what a link needs, and prefetching the document too would only cost data.
 */
export function EarlyRules() {
  const nonce = useScriptNonce();
  const isHydrated = useHydrated();
  if (isHydrated) return null;
  return (
    <script type="speculationrules" nonce={nonce} suppressHydrationWarning>
      {RULES}
    </script>
  );
}

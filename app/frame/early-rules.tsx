import { useScriptNonce } from "#app/script-nonce.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";

/**
 * Public pages alone: the others read the session in the browser, and their documents say nothing yet. In the document
 * alone: the browser's script leaves it as it is.
 */
const RULES = import.meta.env.SSR
  ? JSON.stringify({
      prefetch: [
        { where: { href_matches: ["/", "/values", "/fruits/*", "/calculator"] }, eagerness: "moderate" },
      ],
    })
  : "";

/**
 * Speculation rules for as long as the page's scripts are not alive: on a slow phone that is when a link is a plain one.
 * From then on the router fetches what a link needs, and a second copy would only cost the reader's data.
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

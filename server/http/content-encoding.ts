import { parseAccept } from "#backend/http/media-type.ts";
import { createByteCache, sizeOfText } from "#backend/memory/byte-cache.ts";
import { getOrMake } from "#backend/memory/get-or-make.ts";

/** What the pages and files of the site are kept in. */
export type Encoding = "br" | "gzip" | "identity";

const known = createByteCache<Encoding>({ maxBytes: 100_000, sizeOf: sizeOfText });

/**
 * The best encoding that a client accepts, by RFC 9110 §12.5.3. Browsers send a handful of texts, so the answers are
 * remembered.
 */
export function chooseEncoding(accepted: string | undefined): Encoding {
  if (!accepted) return "identity";
  return getOrMake(known, accepted, () => choose(accepted));
}

function choose(accepted: string): Encoding {
  const weights = new Map(parseAccept(accepted).map(({ name, weight }) => [name, weight]));
  const weigh = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  if (weigh("br") > 0 && weigh("br") >= weigh("gzip")) return "br";
  return weigh("gzip") > 0 ? "gzip" : "identity";
}

import { parseAccept } from "#backend/http/media-type.ts";
import { createByteCache, sizeOfText } from "#backend/memory/byte-cache.ts";
import { getOrMake } from "#backend/memory/get-or-make.ts";

/** The content encodings of the site's pages and files. */
export type Encoding = "br" | "gzip" | "identity";

const known = createByteCache<Encoding>({ maxBytes: 100_000, sizeOf: sizeOfText });

/**
 * The best encoding that a client accepts (RFC 9110 §12.5.3). Browsers send only a handful of distinct headers, so the
 * results are cached.
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

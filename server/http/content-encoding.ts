/** What the pages and files of the site are kept in. */
export type Encoding = "br" | "gzip" | "identity";

const REMEMBERED = 200;
const known = new Map<string, Encoding>();

/**
 * The best encoding that a client accepts, by RFC 9110 §12.5.3. Browsers send a handful of texts, so the answers are
 * remembered.
 */
export function chooseEncoding(accepted: string | undefined): Encoding {
  if (!accepted) return "identity";
  const remembered = known.get(accepted);
  if (remembered) return remembered;
  if (known.size >= REMEMBERED) known.clear();
  const chosen = choose(accepted);
  known.set(accepted, chosen);
  return chosen;
}

function choose(accepted: string): Encoding {
  const weights = new Map(accepted.toLowerCase().split(",").map(parseWeight));
  const weigh = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  if (weigh("br") > 0 && weigh("br") >= weigh("gzip")) return "br";
  return weigh("gzip") > 0 ? "gzip" : "identity";
}

function parseWeight(part: string): [string, number] {
  const [coding = "", ...parameters] = part.split(";").map((text) => text.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [coding, weight ? Number(weight.slice(2)) || 0 : 1];
}

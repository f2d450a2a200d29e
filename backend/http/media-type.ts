/** One entry of an Accept or Accept-Encoding header, or a Content-Type. */
export type MediaType = {
  /** Lower case, without parameters: `text/csv`. */
  name: string;
  params: Record<string, string>;
  /** The quality `q`, 1 by default; 0 means not accepted. */
  weight: number;
  /** As the client wrote it, without its quality. */
  text: string;
};

/** The entries of an Accept or Accept-Encoding header, most preferred first (RFC 9110 §12.4.2). */
export function parseAccept(header: string): MediaType[] {
  return splitOutsideQuotes(header, ",")
    .filter((text) => text !== "")
    .map(parseMediaType)
    .sort((a, b) => b.weight - a.weight);
}

/** The media type in lower case, without its parameters. */
export function essenceOf(text: string): string {
  return (text.split(";", 1)[0] as string).trim().toLowerCase();
}

export function parseMediaType(text: string): MediaType {
  const [name = "", ...rest] = splitOutsideQuotes(text, ";");
  const params: Record<string, string> = {};
  for (const part of rest) {
    const equals = part.indexOf("=");
    if (equals > 0)
      params[part.slice(0, equals).trim().toLowerCase()] = unquote(part.slice(equals + 1).trim());
  }
  const weight = Number(params.q ?? 1);
  return {
    name: name.toLowerCase(),
    params,
    weight: Number.isFinite(weight) ? weight : 0,
    text: [name, ...rest.filter((part) => !/^q=/i.test(part))].join(";"),
  };
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text;
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator).map((part) => part.trim());
  const parts: string[] = [""];
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

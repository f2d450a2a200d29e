/** One entry of an Accept header, or a Content-Type. */
export type MediaType = {
  /** Lower case, without parameters: `text/csv`. */
  name: string;
  params: Record<string, string>;
  /** As the client wrote it, without its quality. */
  text: string;
};

/** The entries of an Accept header, most wanted first; no header means anything. */
export function parseAccept(header: string | undefined): MediaType[] {
  if (header === undefined || header.trim() === "") return [parseMediaType("*/*")];
  const entries = splitOutsideQuotes(header, ",").map((text) => text.trim());
  const weighed = entries
    .filter((text) => text !== "")
    .map((text) => ({ type: parseMediaType(text), weight: 1 }));
  for (const entry of weighed) {
    const weight = Number(entry.type.params.q ?? 1);
    entry.weight = Number.isFinite(weight) ? weight : 0;
  }
  return weighed.sort((a, b) => b.weight - a.weight).map(({ type }) => type);
}

export function parseMediaType(text: string): MediaType {
  const [name = "", ...rest] = splitOutsideQuotes(text, ";").map((part) => part.trim());
  const params: Record<string, string> = {};
  for (const part of rest) {
    const equals = part.indexOf("=");
    if (equals > 0)
      params[part.slice(0, equals).trim().toLowerCase()] = unquote(part.slice(equals + 1).trim());
  }
  const shown = [name, ...rest.filter((part) => !/^q=/i.test(part))].join(";");
  return { name: name.toLowerCase(), params, text: shown };
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text;
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [""];
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

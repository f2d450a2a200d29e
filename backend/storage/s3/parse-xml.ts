/** An element's text, or its children by name: in a list if the name is repeated, or always has one. */
export type XmlContent = string | XmlContent[] | { [name: string]: XmlContent };

type Open = { name: string; text: string; children: Map<string, XmlContent[]> | null };

/** S3's largest body: 10,000 parts, each with a number, an entity tag, checksums and a size. */
const MOST_ELEMENTS = 100_000;
const MOST_DEPTH = 8;
const LONGEST_TAG = 1000;
const LISTS = ["Object", "Part"];

const TAG = /^(\/?)(?:[\w.-]+:)?([\w.-]+)(?:\s[^<]*?)?(\/?)$/;
const DECLARATION = /^\s*<\?xml\s[^<>]{0,200}\?>/;

/**
 * The name and content of the root element, without prefixes and attributes; null for anything else. Only what S3's
 * bodies consist of is read, and each character once: anyone may send one, and a general parser needs seconds for 2 MB
 * of tags.
 */
export function parseXml(source: string): { name: string; content: XmlContent } | null {
  const xml = source.replace(/\r\n?/g, "\n").replace(DECLARATION, "");
  const top: Open = { name: "", text: "", children: null };
  const stack = [top];
  let elements = 0;
  for (let at = 0; at < xml.length; ) {
    const open = stack.at(-1) as Open;
    const piece = readPiece(xml, at);
    if (!piece) return null;
    at = piece.end;
    if ("text" in piece) open.text += piece.text;
    else if (piece.kind === "close") {
      if (open === top || piece.name !== open.name) return null;
      stack.pop();
      add(stack.at(-1) as Open, open);
    } else {
      elements++;
      if (isTooMuch(elements, stack.length)) return null;
      const made: Open = { name: piece.name, text: "", children: null };
      if (piece.kind === "empty") add(open, made);
      else stack.push(made);
    }
  }
  return stack.length === 1 ? rootOf(top) : null;
}

const isTooMuch = (elements: number, depth: number) => elements > MOST_ELEMENTS || depth > MOST_DEPTH;

function rootOf({ text, children }: Open): { name: string; content: XmlContent } | null {
  const [[name, [content, another]] = ["", []], other] = children ?? [];
  const isOne = another === undefined && other === undefined && text.trim() === "";
  return isOne && content !== undefined ? { name, content } : null;
}

type Piece =
  | { end: number; text: string }
  | { end: number; kind: "open" | "close" | "empty"; name: string }
  | null;

function readPiece(xml: string, at: number): Piece {
  if (xml[at] !== "<") {
    const next = xml.indexOf("<", at);
    const end = next < 0 ? xml.length : next;
    const text = decode(xml.slice(at, end));
    return text === null ? null : { end, text };
  }
  const comment = enclosed(xml, at, "<!--", "-->");
  if (comment) return { ...comment, text: "" };
  const plain = enclosed(xml, at, "<![CDATA[", "]]>");
  if (plain) return plain;
  const end = xml.slice(at, at + LONGEST_TAG).indexOf(">");
  const [, closing, name, empty] = TAG.exec(xml.slice(at + 1, at + end)) ?? [];
  if (end < 0 || name === undefined || (closing && empty)) return null;
  return { end: at + end + 1, name, kind: closing ? "close" : empty ? "empty" : "open" };
}

function enclosed(xml: string, at: number, start: string, end: string): { end: number; text: string } | null {
  if (!xml.startsWith(start, at)) return null;
  const found = xml.indexOf(end, at + start.length);
  return found < 0 ? null : { end: found + end.length, text: xml.slice(at + start.length, found) };
}

function add(parent: Open, { name, text, children }: Open): void {
  const content = children === null ? text : Object.fromEntries([...children].map(gather));
  parent.children ??= new Map();
  const known = parent.children.get(name);
  if (known) known.push(content);
  else parent.children.set(name, [content]);
}

function gather([name, all]: [string, XmlContent[]]): [string, XmlContent] {
  const [only = ""] = all;
  return [name, all.length > 1 || LISTS.includes(name) ? all : only];
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const REFERENCE = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/iy;

/** Go's clients write quotes, and so every entity tag, as numbers. Null if a reference stands for no character. */
function decode(text: string): string | null {
  let decoded = "";
  let done = 0;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", done)) {
    REFERENCE.lastIndex = at;
    const [all = "", hex, digits, name] = REFERENCE.exec(text) ?? [];
    const character = name
      ? ENTITIES[name.toLowerCase()]
      : characterOf(hex ? Number.parseInt(hex, 16) : Number(digits));
    if (character === undefined) return null;
    decoded += text.slice(done, at) + character;
    done = at + all.length;
  }
  return decoded + text.slice(done);
}

function characterOf(code: number): string | undefined {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

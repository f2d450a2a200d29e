import sax from "sax";

/** An element's text, or its children by name: in a list if the name is repeated, or always has one. */
export type XmlContent = string | XmlContent[] | { [name: string]: XmlContent };

/** S3's largest body: 10,000 parts, each with a number, an entity tag, checksums and a size. */
const MOST_ELEMENTS = 100_000;
const MOST_DEPTH = 8;
const MOST_ATTRIBUTES = 100;
const LISTS = ["Object", "Part"];

type Element = { text: string; children: Map<string, XmlContent[]> };

const newElement = (): Element => ({ text: "", children: new Map() });

/**
 * The name and content of the root element, without prefixes and attributes; null for anything that no client of S3
 * sends, which ends the reading: a parser that reads everything needs seconds for 2 MB of tags.
 */
export function parseXml(xml: string): { name: string; content: XmlContent } | null {
  const top = newElement();
  const path = [top];
  const left = { elements: MOST_ELEMENTS, attributes: MOST_ATTRIBUTES };
  const refuse = (): never => {
    throw new SyntaxError("This is not the XML of an S3 client");
  };
  const addText = (text: string): void => {
    (path.at(-1) as Element).text += text;
  };
  const reader = Object.assign(sax.parser(true), {
    onerror: refuse,
    ondoctype: refuse,
    onprocessinginstruction({ name }: { name: string }): void {
      if (name !== "xml" || left.elements < MOST_ELEMENTS) refuse();
    },
    onattribute(): void {
      if (left.attributes-- === 0) refuse();
    },
    onopentagstart(): void {
      if (left.elements-- === 0 || path.push(newElement()) > MOST_DEPTH + 1) refuse();
    },
    ontext: addText,
    oncdata: addText,
    onclosetag(name: string): void {
      const closed = contentOf(path.pop() as Element);
      const { children } = path.at(-1) as Element;
      const local = name.slice(name.indexOf(":") + 1);
      const alike = children.get(local);
      if (alike) alike.push(closed);
      else children.set(local, [closed]);
    },
  });
  try {
    // Line ends as XML 1.0 §2.11 reads them.
    reader.write(xml.replace(/\r\n?/g, "\n")).close();
  } catch {
    return null;
  }
  const [[name, [content, another]] = ["", []], other] = top.children;
  return content === undefined || another !== undefined || other ? null : { name, content };
}

function contentOf({ text, children }: Element): XmlContent {
  if (children.size === 0) return text;
  return Object.fromEntries(
    [...children].map(([name, all]) => [name, all.length > 1 || LISTS.includes(name) ? all : (all[0] ?? "")]),
  );
}

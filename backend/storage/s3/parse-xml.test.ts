import { expect, test } from "vitest";
import { parseXml } from "./parse-xml.ts";

const inside = (content: string) => `<Delete>${content}</Delete>`;

test("a body is read as clients write it: with prefixes, references, comments and plain sections", () => {
  const body = `<?xml version="1.0" encoding="UTF-8"?>
    <s3:Delete xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet><!-- <Object> -->
      <Object><Key>a &#34;b&quot; &#x1F34E;<![CDATA[<c>&]]> </Key><Empty/></Object></s3:Delete>\n`;
  expect(parseXml(body)).toEqual({
    name: "Delete",
    content: { Quiet: "true", Object: [{ Key: 'a "b" 🍎<c>& ', Empty: "" }] },
  });
  expect(parseXml("<a><b>1</b><b>2</b></a>")?.content).toEqual({ b: ["1", "2"] });
  expect(parseXml("<a>1\r\n2&#13;</a>")?.content).toBe("1\n2\r");
});

test("a name that an object's own members have is a name like others", () => {
  const { content } = parseXml(inside("<__proto__><Quiet>true</Quiet></__proto__>")) as { content: object };
  expect(Object.keys(content)).toEqual(["__proto__"]);
  expect(content).not.toHaveProperty("Quiet");
});

test.each([
  ["nothing", ""],
  ["text", "a"],
  ["two roots", "<a/><b/>"],
  ["two roots of a name", "<a/><a/>"],
  ["an open element", "<a><b></a>"],
  ["an end alone", "</a>"],
  ["text behind the root", "<a/>b"],
  ["a document type", "<!DOCTYPE a><a/>"],
  ["an instruction", "<a><?b c?></a>"],
  ["a late declaration", '<a/><?xml version="1.0"?>'],
  ["an unknown entity", "<a>&b;</a>"],
  ["an ampersand", "<a>b & c</a>"],
  ["a reference to no character", "<a>&#0;</a>"],
  ["half a pair", "<a>&#xD800;</a>"],
  ["an unclosed comment", "<a><!-- </a>"],
  ["a tag without an end", `<a ${" ".repeat(5000)}>`],
])("%s is no body", (_, text) => {
  expect(parseXml(text)).toBeNull();
});

const SIZE = 2 * 1024 * 1024;
const fill = (piece: string) => inside(piece.repeat(SIZE / piece.length));

test.each([
  ["nested elements", inside(`${"<a>".repeat(SIZE / 7)}${"</a>".repeat(SIZE / 7)}`)],
  ["empty elements", fill("<a/>")],
  ["objects", fill("<Object><Key>a</Key></Object>")],
  ["different elements", inside(Array.from({ length: SIZE / 16 }, (_, index) => `<a${index}/>`).join(""))],
  ["attributes", `<Delete ${"a=''".repeat(SIZE / 4)}/>`],
  ["ampersands", fill("&")],
  ["half references", fill("&#")],
  ["angle brackets", fill("<")],
])("the longest body of %s is refused within two seconds of processor time", (_, text) => {
  const before = process.cpuUsage();
  expect(parseXml(text)).toBeNull();
  const { user } = process.cpuUsage(before);
  expect(user).toBeLessThan(2_000_000);
});

test("the longest list of parts is read", () => {
  const part =
    "<Part><PartNumber>1</PartNumber><ETag>&#34;a&#34;</ETag><ChecksumCRC32>AAAAAA==</ChecksumCRC32></Part>";
  expect(parseXml(inside(part.repeat(10_000)))?.content).toMatchObject({ Part: { length: 10_000 } });
});

import { expect, test } from "vitest";
import { escapeXml } from "./xml.ts";

test("marks are escaped, and what no document may contain is left out, for one such character makes all of it unreadable", () => {
  expect(escapeXml('<a href="x"> & 🐉\n')).toBe("&lt;a href=&quot;x&quot;&gt; &amp; 🐉\n");
  expect(escapeXml("a\u0001b\u000bc\ufffed\ud800e\u007f")).toBe("abcde\u007f");
});

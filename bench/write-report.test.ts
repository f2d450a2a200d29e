import { expect, test } from "vitest";
import { putReport } from "./write-report.ts";

const document = (report: string) =>
  `# Performance\n\n<!-- written by npm run bench -- --report -->\n\n${report}\n<!-- end -->\n\nAnd more.\n`;
const part = (name: string, text: string) => `### ${name}\n\n\`\`\`\n${text}\n\`\`\``;
const before = document(["On Monday.", part("page", "  old page"), part("rest", "  old rest")].join("\n\n"));

test("a report of all benches takes the place of the one before", () => {
  const measured = [
    { name: "page", lines: ["  a page"] },
    { name: "chat", lines: ["", "  a chat", ""] },
  ];
  expect(putReport(before, measured, "On Tuesday.", true)).toBe(
    document(["On Tuesday.", part("page", "  a page"), part("chat", "\n  a chat")].join("\n\n")),
  );
});

test("one of some of them leaves the others, and says of each when it was", () => {
  const put = putReport(before, [{ name: "page", lines: ["  a page"] }], "On Tuesday.", false);
  const dated = "### page\n\nOn Tuesday.\n\n```\n  a page\n```";
  expect(put).toBe(document(["On Monday.", dated, part("rest", "  old rest")].join("\n\n")));
  const again = putReport(put, [{ name: "cost", lines: ["  a cost"] }], "On Friday.", false);
  expect(again).toContain(`${dated}\n\n${part("rest", "  old rest")}\n\n### cost\n\nOn Friday.`);
});

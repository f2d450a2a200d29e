import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Proposal } from "#app/routes/admin/proposals/proposal-queries.ts";
import { FoldedValues } from "./set-values.tsx";

const shown = (count: number) =>
  renderToStaticMarkup(
    <FoldedValues
      values={Array.from(
        { length: count },
        (_, at) =>
          ({
            id: String(at),
            field: "current_value",
            was: "1M",
            value: "2M",
            items: { name: `Item ${at}` },
          }) as unknown as Proposal,
      )}
    />,
  );

test("a set of many values shows their number, and the values once it is opened", () => {
  expect(shown(5)).not.toContain("<details");
  expect(shown(40)).toMatch(/^<details[^>]*><summary>40 values<\/summary>.*Item 39/);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyTrade, formatTrade, parseTrade, type TradeSlot } from "./trade-url.ts";

const nine = (...slots: TradeSlot[]): TradeSlot[] => [
  ...slots,
  ...Array<TradeSlot>(9 - slots.length).fill(null),
];
const regular = (slug: string) => ({ slug, mode: "regular" as const });
const permanent = (slug: string) => ({ slug, mode: "permanent" as const });

describe("a trade in the URL", () => {
  test("what is no slot is an empty slot, what is too much is left out", () => {
    expect(parseTrade("")).toEqual(emptyTrade());
    expect(parseTrade("?you=<script>,kitsune,../x,control.p&them=%00&other=1")).toEqual({
      you: nine(null, regular("kitsune"), null, permanent("control")),
      them: nine(),
    });
    expect(parseTrade("?you=kitsune.purple,kitsune.P,kitsune.p.x").you).toEqual(
      nine(regular("kitsune"), permanent("kitsune"), permanent("kitsune")),
    );
    expect(parseTrade(`you=${"kitsune,".repeat(20)}`).you).toEqual(Array(9).fill(regular("kitsune")));
  });

  test("no query throws, and every one gives nine slots a side", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (you, them) => {
        for (const trade of [
          parseTrade(new URLSearchParams({ you, them })),
          parseTrade(`?you=${you}&them=${them}`),
        ]) {
          expect([trade.you.length, trade.them.length]).toEqual([9, 9]);
        }
      }),
    );
  });

  test("is short and readable, and keeps the places", () => {
    const trade = { you: nine(regular("kitsune"), null, permanent("control")), them: nine(regular("t-rex")) };
    expect(formatTrade(trade)).toBe("?you=kitsune,,control.p&them=t-rex");
    expect(formatTrade({ ...trade, you: nine() })).toBe("?them=t-rex");
    expect(formatTrade(emptyTrade())).toBe("");
  });

  test("comes back as it went in", () => {
    const slug = fc.stringMatching(/^[a-z0-9-]{1,100}$/);
    const slot = fc.option(
      fc.record({ slug, mode: fc.constantFrom("regular" as const, "permanent" as const) }),
    );
    const side = fc.array(slot, { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(side, side, (you, them) => {
        const query = formatTrade({ you, them });
        expect(parseTrade(query)).toEqual({ you, them });
        expect(new URL(`https://site.example/calculator${query}`).search).toBe(query);
      }),
    );
  });
});

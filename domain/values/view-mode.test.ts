import { describe, expect, test } from "vitest";
import { figuresOf, modeOfQuery, modeQuery, orderByValue, VIEW_MODES } from "./view-mode.ts";

const kitsune = {
  name: "Kitsune",
  current_value: "640M",
  previous_value: "660M",
  permanent_value: "6.24B",
  permanent_previous_value: "6.98B",
  beli_price: "8000000",
  robux_price: "4000",
};
const gamepass = {
  name: "Fruit Notifier",
  current_value: "4.79B",
  previous_value: "4.8B",
  robux_price: "2700",
};

describe("the figures of an item", () => {
  test("regular mode has no Robux price and permanent mode no Beli price", () => {
    expect(figuresOf(gamepass, "regular").price).toEqual({ text: "–", number: null });
    expect(figuresOf({ ...kitsune, robux_price: null }, "permanent").price.text).toBe("–");
  });

  test("an item without a permanent value shows an en dash, neither 0 nor its regular value", () => {
    const { value, previous } = figuresOf(gamepass, "permanent");
    expect([value, previous]).toEqual([
      { text: "–", number: null },
      { text: "–", number: null },
    ]);
  });

  test("each mode shows its own value, previous value and price", () => {
    const regular = figuresOf(kitsune, "regular");
    expect([regular.value.text, regular.previous.text, regular.price.text, regular.currency]).toEqual([
      "640M",
      "660M",
      "8M",
      "Beli",
    ]);
    const permanent = figuresOf(kitsune, "permanent");
    expect([permanent.value.text, permanent.previous.text, permanent.price.text, permanent.currency]).toEqual(
      ["6.24B", "6.98B", "4K", "Robux"],
    );
  });
});

describe("the order of a list", () => {
  const names = (items: { name: string }[]) => items.map((item) => item.name).join(" ");
  const items = [
    { name: "Unpriced", current_value: "N/A", permanent_value: "1" },
    { name: "Nine", current_value: "9M" },
    { name: "Zero", current_value: "0" },
    { name: "Hundred", current_value: "100M", permanent_value: "2" },
    { name: "Also Nine", current_value: "9000K" },
    { name: "Another Unpriced", current_value: null },
  ];

  test("is by number and not by text, ties by name, real zeros before the unpriced", () => {
    expect(names(orderByValue(items, "regular"))).toBe(
      "Hundred Also Nine Nine Zero Another Unpriced Unpriced",
    );
  });

  test("follows the mode, and leaves the given list as it was", () => {
    expect(names(orderByValue(items, "permanent"))).toBe(
      "Hundred Unpriced Also Nine Another Unpriced Nine Zero",
    );
    expect(items[0]?.name).toBe("Unpriced");
  });
});

test("a mode comes back from an item's address, and whatever is odd there is regular", () => {
  for (const mode of VIEW_MODES) expect(modeOfQuery(modeQuery(mode))).toBe(mode);
  expect(["", "?mode=golden", "?x=permanent"].map(modeOfQuery)).toEqual(["regular", "regular", "regular"]);
});

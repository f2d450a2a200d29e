import { expect, test } from "vitest";
import { nameOf, placeOf } from "./application-words.ts";

test.each([
  ["https://trades.example:8443/cb?x=1", "trades.example:8443"],
  ["http://127.0.0.1:9000/cb", "a program on this device"],
  ["http://localhost/cb", "a program on this device"],
  ["fruitapp://signed-in", "an app on this device (fruitapp:)"],
])("the displayed target of %s is %s", (address, place) => {
  expect(placeOf(address)).toBe(place);
  expect(nameOf({ name: " " }, address)).toBe(place);
  expect(nameOf({ name: "Helper" }, address)).toBe("Helper");
});

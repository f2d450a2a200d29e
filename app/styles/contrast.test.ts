import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const GROUNDS = ["ground", "surface", "sunken", "raised"];
const TEXTS = ["ink", "muted", "link", "accent-text", "rise", "fall"];
const TONES = [
  ...["common", "uncommon", "rare", "legendary", "mythical"],
  ...["low", "medium", "high", "very-high", "rise", "fall", "muted", "accent-text"],
];

/** The two values of a color token, by day and by night. */
function token(name: string): [string, string] {
  const value = css.match(new RegExp(`--color-${name}: (.*);`))?.[1] ?? "";
  const [day, night = day] = value.match(/#[0-9a-f]{6}/g) ?? [];
  if (!day || !night) throw new Error(`no color ${name}`);
  return [day, night];
}

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);

/** Relative luminance and contrast ratio, WCAG 2.2. */
function luminance(rgb: number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: number[], b: number[]): number {
  const [dark = 0, bright = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright + 0.05) / (dark + 0.05);
}

describe.each([
  ["day", 0],
  ["night", 1],
] as const)("by %s", (_, side) => {
  const color = (name: string) => channels(token(name)[side]);

  it.each(TEXTS)("%s reads on every ground", (text) => {
    for (const ground of GROUNDS)
      expect(contrast(color(text), color(ground)), ground).toBeGreaterThanOrEqual(4.5);
  });

  it.each(TONES)("a badge's %s reads on its own tint", (tone) => {
    const surface = color("surface");
    const tint = color(tone).map((channel, at) => channel * 0.11 + (surface[at] ?? 0) * 0.89);
    expect(contrast(color(tone), tint)).toBeGreaterThanOrEqual(4.5);
  });

  it("what is pressed and what is on the hull reads", () => {
    expect(contrast(color("on-accent"), color("accent"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(color("on-danger"), color("danger"))).toBeGreaterThanOrEqual(4.5);
    for (const text of ["on-hull", "on-hull-muted", "lantern"])
      expect(contrast(color(text), color("hull")), text).toBeGreaterThanOrEqual(4.5);
  });

  it("edges of controls and the focus ring stand out from every ground", () => {
    for (const line of ["line-strong", "focus"])
      for (const ground of GROUNDS)
        expect(contrast(color(line), color(ground)), `${line} on ${ground}`).toBeGreaterThanOrEqual(3);
  });
});

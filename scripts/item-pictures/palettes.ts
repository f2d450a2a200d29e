import { type DrawnItem, hashOf } from "./drawn-item.ts";

/** The colors of one picture. */
export type Palette = { base: string; light: string; deep: string; glow: string; mark: string; leaf: string };

/** Hue, saturation, lightness, and the hue shift from the lit side to the shaded one. */
type Dye = readonly [hue: number, saturation: number, lightness: number, turn?: number];

/**
 * The first of these words in a name determines its colors: a skin's own words come before those of the fruits. Order
 * matters.
 */
const DYES: readonly (readonly [word: string, dye: Dye])[] = [
  ["galaxy empyrean", [262, 74, 46, 60]],
  ["crimson", [352, 84, 46]],
  ["ember", [14, 92, 50, 24]],
  ["divine", [47, 92, 62, -14]],
  ["purple", [278, 78, 56]],
  ["red ", [356, 82, 52]],
  ["yellow", [50, 96, 55, -14]],
  ["green", [136, 68, 44]],
  ["orange", [25, 95, 54]],
  ["rose quartz", [338, 74, 72]],
  ["emerald", [152, 76, 38]],
  ["topaz", [36, 94, 54, -16]],
  ["ruby", [345, 86, 44]],
  ["super spirit", [172, 80, 48, 40]],
  ["torment", [330, 60, 32]],
  ["sadness", [218, 70, 48]],
  ["frustration", [8, 88, 46]],
  ["celestial", [228, 80, 66, 46]],
  ["requiem", [268, 34, 30]],
  ["glacier", [192, 76, 66, 16]],
  ["matrix", [128, 88, 36]],
  ["celebration", [320, 86, 60, -44]],
  ["azura", [206, 88, 52]],
  ["thermite", [20, 90, 46, -22]],
  ["nuclear", [82, 86, 46, 20]],
  ["fiend", [354, 60, 34, 30]],
  ["permanent", [44, 94, 50, -16]],
  ["rabid", [94, 66, 40, 40]],
  ["werewolf", [214, 26, 40]],
  ["parrot", [116, 78, 44, -60]],
  ["west dragon", [6, 80, 45, 18]],
  ["east dragon", [168, 76, 36, 30]],
  ["dragon", [350, 80, 46, 20]],
  ["kitsune", [224, 86, 60, 34]],
  ["control", [188, 78, 44, 30]],
  ["yeti", [200, 58, 72, 16]],
  ["gas", [292, 54, 54, -30]],
  ["tiger", [32, 94, 54, -14]],
  ["lightning", [196, 94, 54, 30]],
  ["venom", [286, 70, 42, 22]],
  ["dough", [34, 66, 72, -12]],
  ["pain", [2, 66, 56]],
  ["t-rex", [96, 46, 36]],
  ["gravity", [266, 56, 44, 24]],
  ["mammoth", [24, 42, 42]],
  ["spirit", [184, 70, 56, 70]],
  ["shadow", [258, 34, 27]],
  ["portal", [196, 86, 50, 62]],
  ["buddha", [44, 94, 54, -12]],
  ["blizzard", [206, 70, 64, 24]],
  ["creation", [104, 56, 46]],
  ["phoenix", [198, 88, 50, -150]],
  ["sound", [318, 74, 62]],
  ["spider", [346, 36, 42]],
  ["love", [340, 88, 64]],
  ["magma", [12, 92, 44, 26]],
  ["quake", [212, 24, 62]],
  ["diamond", [190, 72, 64, 20]],
  ["light", [52, 98, 60, -16]],
  ["ghost", [160, 30, 72, 20]],
  ["eagle", [28, 56, 40]],
  ["rubber", [4, 76, 60]],
  ["ice", [194, 84, 64, 14]],
  ["sand", [42, 62, 58, -10]],
  ["dark", [248, 44, 27, 26]],
  ["flame", [18, 96, 54, -18]],
  ["spike", [146, 22, 48]],
  ["smoke", [214, 12, 52]],
  ["bomb", [220, 20, 34]],
  ["spring", [72, 70, 48]],
  ["blade", [206, 28, 54]],
  ["spin", [172, 62, 48]],
  ["rocket", [8, 82, 54]],
  ["eclipse", [28, 78, 30, 40]],
  ["meme", [54, 92, 56, -20]],
  ["doghouse", [24, 66, 46]],
  ["dog", [20, 58, 44]],
  ["money", [140, 62, 40]],
  ["mythical", [344, 78, 52]],
  ["legendary", [40, 92, 52, -12]],
];

/** An item's palette: by a word in its name, else by a hue derived from its slug. */
export function paletteOf({ name, slug }: Pick<DrawnItem, "name" | "slug">): Palette {
  const words = `${name.toLowerCase()} `;
  const hash = hashOf(slug);
  const dye = DYES.find(([word]) => words.includes(word))?.[1] ?? ([hash % 360, 62, 50] as const);
  return mix(dye, 96 + (hash % 5) * 14);
}

function mix([hue, saturation, lightness, turn = 14]: Dye, leafHue: number): Palette {
  const hsl = (h: number, s: number, l: number) => toHex((h + 720) % 360, s, l);
  return {
    base: hsl(hue, saturation, lightness),
    light: hsl(hue - turn / 2, saturation, Math.min(90, lightness + 25)),
    deep: hsl(hue + turn, Math.min(80, saturation + 4), Math.max(13, lightness * 0.42)),
    glow: hsl(hue, Math.min(100, saturation + 20), Math.max(58, lightness)),
    mark: hsl(hue - turn, 90, 94),
    leaf: hsl(leafHue, 52, 40),
  };
}

function toHex(hue: number, saturation: number, lightness: number): string {
  const l = lightness / 100;
  const a = (saturation / 100) * Math.min(l, 1 - l);
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const value = l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    // Three digits are as good to the eye, and a tenth of the sheet's weight.
    return Math.round(value * 15).toString(16);
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

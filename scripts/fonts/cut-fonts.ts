import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

const FACES = new URL("../../app/styles/fonts.css", import.meta.url);
const PACKAGES = fileURLToPath(new URL("../../node_modules/@fontsource-variable", import.meta.url));
const CUT = fileURLToPath(new URL("../../.cache/fonts", import.meta.url));

/** Those needed for shaping, and those that `app/styles` uses: tabular and lining figures. */
const FEATURES = ["ccmp", "kern", "mark", "mkmk", "rlig", "tnum", "lnum"];

/**
 * Subsets the fonts as declared in fonts.css: the characters of each face's `unicode-range` and the weights of its
 * `font-weight`. A face whose URL begins with `@cut-fonts/` is cut from its family's Latin file.
 */
export function cutFonts(): Plugin {
  return {
    name: "cut-fonts",
    async config() {
      await mkdir(CUT, { recursive: true });
      await Promise.all(readFaces(await readFile(FACES, "utf8")).map(cutFont));
      return { resolve: { alias: { "@cut-fonts": CUT } } };
    },
  };
}

type Face = { file: string; family: string; range: string; weight: string };

function readFaces(css: string): Face[] {
  return [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].flatMap(([, rules = ""]) => {
    const find = (pattern: RegExp) => pattern.exec(rules)?.[1] ?? "";
    const file = find(/url\("@cut-fonts\/([^"]+)"\)/);
    if (!file) return [];
    const family = find(/font-family:\s*"([^"]+)"/).toLowerCase();
    return [{ file, family, range: find(/unicode-range:([^;]+);/), weight: find(/font-weight:([^;]+);/) }];
  });
}

async function cutFont({ file, family, range, weight }: Face): Promise<void> {
  const whole = await readFile(join(PACKAGES, family, "files", `${family}-latin-wght-normal.woff2`));
  // The package's types lack features and hinting.
  const options: Parameters<typeof subsetFont>[2] & { keepFeatures: string[]; noHinting: boolean } = {
    targetFormat: "woff2",
    keepFeatures: FEATURES,
    variationAxes: { wght: readWeight(weight) },
    noHinting: true,
  };
  await writeFile(join(CUT, file), await subsetFont(whole, listCharacters(range), options));
}

/** The characters of a range such as `U+20-7E, U+A9`. */
function listCharacters(range: string): string {
  const points = [...range.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/gi)].flatMap(
    ([, from = "", to = from]) => {
      const first = Number.parseInt(from, 16);
      return Array.from({ length: Number.parseInt(to, 16) - first + 1 }, (_, index) => first + index);
    },
  );
  return String.fromCodePoint(...points);
}

/** `700`, which fixes the font at that weight, or a range `400 800`. */
function readWeight(weight: string): number | { min: number; max: number } {
  const [min = 400, max] = weight.trim().split(/\s+/).map(Number);
  return max === undefined ? min : { min, max };
}

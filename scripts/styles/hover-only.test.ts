import { preprocessCSS, resolveConfig } from "vite";
import { expect, test } from "vitest";
import { hoverOnly } from "./hover-only.ts";

async function build(css: string): Promise<string> {
  const config = await resolveConfig(
    { configFile: false, css: { postcss: { plugins: [hoverOnly()] } } },
    "build",
  );
  const { code } = await preprocessCSS(css, "/a.css", config);
  return code.replace(/\s+/g, " ").trim();
}

test("what is hovered over is styled where something hovers, and nowhere twice", async () => {
  expect(await build(".a { color: red; &:hover { color: blue } }")).toBe(
    ".a { color: red; @media (hover: hover) { &:hover { color: blue } } }",
  );
  const apart = "@media (hover: hover) { .a:not(:hover, :focus) .b { opacity: 0 } }";
  expect(await build(apart)).toBe(apart);
});

test("a rule that is for something else, too, does not build: a touch screen would lose it", async () => {
  for (const selector of [".a:hover, .a:focus", ".a:is(:hover, :focus)"])
    await expect(build(`${selector} { color: red }`)).rejects.toThrow("rule of its own");
});

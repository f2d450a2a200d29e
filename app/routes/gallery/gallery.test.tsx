import { readdirSync, readFileSync } from "node:fs";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, it } from "vitest";
import Gallery from "./route.tsx";

const folder = new URL("../../ui/", import.meta.url);
/** Shown only after a press, or by the page's frame. */
const LATER = ["toast", "toast-host"];

it("shows every part of the design system", () => {
  const Stub = createRoutesStub([{ id: "root", children: [{ path: "/gallery", Component: Gallery }] }]);
  const site = { supabaseUrl: "https://values.example" };
  const html = renderToString(
    <Stub initialEntries={["/gallery"]} hydrationData={{ loaderData: { root: { site } } }} />,
  );
  const slots = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .flatMap((file) => [...readFileSync(new URL(file, folder), "utf8").matchAll(/data-slot="([\w-]+)"/g)])
    .map(([, slot]) => slot as string);
  expect(slots.length).toBeGreaterThan(15);
  expect(slots.filter((slot) => !LATER.includes(slot) && !html.includes(`data-slot="${slot}"`))).toEqual([]);
});

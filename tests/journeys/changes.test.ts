import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage, type PageOptions } from "#tests/helpers/browser.ts";
import { ownSite } from "#tests/helpers/own-site.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { eventually, read, visit as visitSite } from "#tests/helpers/visit.ts";

// Changes here would be among the biggest moves on every other journey's home page.
const site = ownSite();
const visit = (path: string, options: PageOptions = {}) =>
  visitSite(path, { baseUrl: site.address, ...options });
const lines = (page: Page) => page.locator("main li");
const get = (path: string) => fetch(site.address + path);

/** Raises Spin's value by a third and back, with a reason that needs escaping. */
async function raiseSpin(): Promise<string> {
  const reason = `Wanted <again> & "often" ${Math.random()}`;
  await runOn(
    site.databaseUrl,
    `update items set current_value = '7.5K', change_reason = 'Back' where slug = 'spin';
     update items set current_value = '10K', change_reason = '${reason}' where slug = 'spin'`,
  );
  const number = reason.split(" ").at(-1) ?? "";
  await eventually(async () => (await (await get("/changes")).text()).includes(number)).toBe(true);
  return reason;
}

test("the method page lists corrections, and shows no accuracy until enough trades are confirmed", async () => {
  const method = async () => (await read("/method", site.address)).html;
  const html = await method();
  expect(html.match(/There are not enough confirmed trades yet to say anything\./g)).toHaveLength(2);
  expect(html).toMatch(/Corrections among them<\/dt><dd[^>]*>0</);
  await runOn(
    site.databaseUrl,
    `insert into private.confirmed_values (item_id, mode, value)
       select items.id, 'regular', current_value_number from public.items, generate_series(1, 20) where slug = 'kitsune';
     update public.items set current_value = '650M' where slug = 'kitsune'`,
  );
  await eventually(method).toMatch(/half of the values were within (<!-- -->)?[\d.]+/);
});

describe("the list of changes", () => {
  test("has each change by its day, with the value before, the percentage and the reason, also those of demand and status, or only one kind, in pages", async () => {
    const reason = await raiseSpin();
    const page = await visit("/changes", { width: 360, height: 740 });
    const expectToFit = async () =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    const changed = lines(page).filter({ hasText: reason });
    expect(await changed.locator(".changes-figures").textContent()).toMatch(
      /^from .+ →to {1,2}10K ▲ \+\d+\.\d\d%$/,
    );
    await expectToFit();

    const ids = () => lines(page).evaluateAll((all) => all.map(({ id }) => id));
    const first = await ids();
    await page.getByRole("link", { name: "Older changes" }).click();
    await page.waitForURL(/before=/);
    await eventually(async () => (await ids()).filter((id) => first.includes(id))).toEqual([]);
    expect((await ids()).length).toBeGreaterThan(0);
    await page.getByRole("link", { name: "Newest changes" }).click();
    await eventually(ids).toEqual(first);

    await runOn(
      site.databaseUrl,
      `update items set demand = 'low' where slug = 'spin';
       update items set demand = 'very_high', status = 'hyped', change_reason = 'Everybody asks' where slug = 'spin'`,
    );
    await eventually(async () => (await (await get("/changes")).text()).includes("Everybody asks")).toBe(
      true,
    );
    await page.getByLabel("Kind").selectOption("Demand");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/kind=demand/);
    const line = lines(page).first();
    await eventually(() => line.locator(".changes-name").textContent()).toBe("SpinDemand");
    expect(await line.locator(".changes-figures").textContent()).toMatch(/^from Low →to\s+Very High\s*$/);
    expect(await line.locator(".changes-reason").textContent()).toContain("Everybody asks");
    await expectToFit();
    await line.getByRole("link", { name: "Spin" }).click();
    await page.waitForURL("**/fruits/spin");

    const atom = await (await get("/feeds/changes.atom?kind=status")).text();
    expect(atom).toContain("<title>Status Spin: none → Hyped</title>");
    expect(atom).not.toContain("Demand");
    const { changes } = await (await get("/feeds/changes.json?kind=status")).json();
    expect(changes[0]).toMatchObject({ kind: "status", item: "Spin", new_value: "hyped", editor_name: null });
  });

  test("is filtered by item, mode and size, also without scripts, and says when nothing matches", async () => {
    const page = await visit("/changes", { javaScript: false });
    await page.getByRole("searchbox", { name: "Item" }).fill("kitsune");
    await page.getByLabel("Mode").selectOption("Permanent");
    await page.getByRole("button", { name: "Show" }).click();
    expect(new URL(page.url()).search).toBe("?item=kitsune&kind=&category=&mode=permanent&size=");
    const names = await lines(page).locator(".changes-name").allTextContents();
    expect(names.length).toBeGreaterThan(0);
    expect(names.every((name) => /kitsune\s*permanent/i.test(name))).toBe(true);
    await page.getByRole("searchbox", { name: "Item" }).fill("no such item");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByRole("heading", { name: "No changes match" }).waitFor();
    await page.getByRole("link", { name: "Show all changes" }).click();
    await eventually(() => lines(page).count()).toBeGreaterThan(20);
  });
});

describe("the feeds", () => {
  test("are two files: any other path is a page that does not exist", async () => {
    const { status, html } = await read("/feeds/nope", site.address);
    expect([status, html]).toEqual([404, expect.stringContaining("<h1")]);
    expect((await get("/feeds/changes.json/")).headers.get("content-type")).toBe("application/json");
  });

  test("Atom has the same changes, and is well-formed whatever a reason contains", async () => {
    const reason = await raiseSpin();
    const answer = await get("/feeds/changes.atom?item=spin");
    expect(answer.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const page = await openPage();
    const entries = await page.evaluate(
      (xml) => {
        const parsed = new DOMParser().parseFromString(xml, "application/xml");
        if (parsed.querySelector("parsererror")) throw new Error(xml);
        return [...parsed.querySelectorAll("entry")].map((entry) =>
          ["title", "summary", "updated", "id"].map((name) => entry.querySelector(name)?.textContent ?? ""),
        );
      },
      await answer.text(),
    );
    const [title, summary, updated, id] = entries[0] ?? [];
    expect(title).toMatch(/^Spin: .+ → 10K \(\+\d+\.\d\d%\)$/);
    expect(summary).toBe(reason);
    expect(Date.now() - Date.parse(updated ?? "")).toBeLessThan(600_000);
    expect(id).toMatch(/\/changes#c\d+$/);
  });

  test("JSON has them with a link to older ones", async () => {
    type Answer = { changes: { id: number; changed_at: string; mode: string }[]; next: string | null };
    const first = (await (await get("/feeds/changes.json?mode=permanent")).json()) as Answer;
    expect(first.changes).toHaveLength(50);
    expect(new Set(first.changes.map(({ mode }) => mode))).toEqual(new Set(["permanent"]));
    const next = new URL(first.next ?? "");
    const second = (await (await get(next.pathname + next.search)).json()) as Answer;
    expect(Date.parse(second.changes[0]?.changed_at ?? "")).toBeLessThanOrEqual(
      Date.parse(first.changes.at(-1)?.changed_at ?? ""),
    );
    const ids = first.changes.map(({ id }) => id);
    expect(second.changes.filter(({ id }) => ids.includes(id))).toEqual([]);
  });
});

test("the method's figures are counted", async () => {
  const { html } = await read("/method", site.address);
  expect(html).toMatch(/Checked in the last 7 days<\/dt><dd[^>]*>(\d|<!-- -->)+ of (\d|<!-- -->)+ items/);
  await raiseSpin();
  const count = async () =>
    Number(
      /Changes in the last 30 days<\/dt><dd[^>]*>(\d+)/.exec((await read("/method", site.address)).html)?.[1],
    );
  await eventually(count).toBeGreaterThan(0);
});

import { expect, test } from "vitest";
import { expectNoAxeFindings, openPage, openPageWithoutJavaScript, sharedBrowser } from "./browser.ts";
import { watchPage } from "./page-problems.ts";

const closedPort = "http://127.0.0.1:9";

test.each([
  ["an error in the console", "<script>console.error('boo')</script>", "console error: boo"],
  ["a warning in the console", "<script>console.warn('hm')</script>", "console warning: hm"],
  ["an uncaught exception", "<script>throw new Error('ouch')</script>", "uncaught: ouch"],
  ["a request that fails", `<img src="${closedPort}/x.png">`, `request failed: GET ${closedPort}/x.png`],
])("%s is a problem of the page", async (_what, html, problem) => {
  const page = await (await sharedBrowser()).newPage();
  const problems = watchPage(page, []);
  await page.setContent(html);
  await expect.poll(() => problems).toEqual([expect.stringContaining(problem)]);
  await page.context().close();
});

test("a problem that the test is about is not counted", async () => {
  const page = await openPage({ expectedProblems: [/boo/] });
  await page.setContent("<script>console.error('boo')</script>");
});

test("an unlabeled picture is an axe finding, also in a frame", async () => {
  const page = await openPage();
  await page.setContent("<html lang=en><title>t</title><main><h1>Fruit</h1><img src='data:,'></main>");
  await expect(expectNoAxeFindings(page)).rejects.toThrow("image-alt");
  await page.setContent(
    "<html lang=en><title>t</title><main><h1>Fruit</h1><iframe title=f srcdoc=\"<html lang=en><title>f</title><main><h1>f</h1><img src='data:,'></main>\"></iframe></main>",
  );
  await page.frameLocator("iframe").locator("img").waitFor({ state: "attached" });
  await expect(expectNoAxeFindings(page)).rejects.toThrow("image-alt");
});

test("a color on its way to another is looked at when it has arrived", async () => {
  const page = await openPage({ reducedMotion: "no-preference" });
  await page.setContent(
    "<html lang=en><title>t</title><style>p { color: #ddd; transition: color 400ms }</style><main><h1>Fruit</h1><p>sweet</p></main>",
  );
  await expect(expectNoAxeFindings(page)).rejects.toThrow("color-contrast");
  await page.locator("p").evaluate((element) => (element.style.color = "#000"));
  await expectNoAxeFindings(page);
});

test("a page without JavaScript shows what the server sent", async () => {
  const page = await openPageWithoutJavaScript();
  await page.setContent("<p>sent</p><script>document.body.textContent = 'changed'</script>");
  expect(await page.textContent("body")).toContain("sent");
});

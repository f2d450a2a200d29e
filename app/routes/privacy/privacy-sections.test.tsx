import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { privacySections } from "./privacy-sections.tsx";

function textOf(id: string, site: Partial<SiteConfig> = {}): string {
  const section = privacySections(site as SiteConfig).find((each) => each.id === id);
  const html = renderToStaticMarkup(<MemoryRouter>{section?.content}</MemoryRouter>);
  return html.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
}

test("the company of a captcha is named where there is one, and that of text messages", () => {
  expect(textOf("others")).not.toMatch(/captcha|Cloudflare/i);
  expect(textOf("others")).toContain("emails and text messages");
  expect(textOf("others", { captcha: { maker: "hcaptcha", siteKey: "k" } })).toContain("hCaptcha");
  expect(textOf("others", { captcha: { maker: "turnstile", siteKey: "k" } })).toContain("Cloudflare");
});

test("what a deleted account leaves is named, with how long", () =>
  expect(textOf("deletion", { ageLimit: 13 })).toContain(
    "what moderators decided about you stays while it counts, and for 30 days that you are under 13",
  ));

test("what moderators, editors and admins type stays in the tab, too", () =>
  expect(textOf("browser")).toContain(
    "a note about a case, a note to a decision, a cell of the value grid, an ad’s code, a new category or field, or an update of the game",
  ));

test("the drafts of an item's forms belong to admins and editors", () =>
  expect(textOf("browser")).toContain("for admins and editors only: what they typed into an item’s form"));

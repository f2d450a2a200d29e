import { expect, test } from "vitest";
import type { SiteConfig } from "#app/features/site/site-config.ts";
import { findChannels } from "./contact-channels.tsx";

const unset = {
  socialXUrl: "https://x.com",
  socialGithubUrl: "https://github.com/",
  socialDiscordUrl: "https://discord.com",
} as SiteConfig;

const namesOf = (site: SiteConfig) => findChannels(site).map(({ name }) => name);

test("without settings only the site's own chat is a channel, and no account is invented", () => {
  expect(namesOf(unset)).toEqual(["Live Chat"]);
});

test("an email address and accounts that the operator set are channels", () => {
  const site = { ...unset, contactEmail: "crew@values.example", socialDiscordUrl: "https://discord.gg/crew" };
  expect(namesOf(site)).toEqual(["crew@values.example", "Discord", "Live Chat"]);
  expect(findChannels(site)[0]?.href).toBe("mailto:crew@values.example");
});

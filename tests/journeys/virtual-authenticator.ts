import type { CDPSession, Page } from "playwright-core";

/** What Chromium's virtual authenticator has and does (WebAuthn Level 3, §11). */
export type VirtualAuthenticator = {
  /** Keys that it keeps. */
  count(): Promise<number>;
  /** Whether the person in front of it agrees. */
  agree(agrees: boolean): Promise<void>;
};

/** `internal`: the device itself. `usb`: a security key. */
type Kind = { transport: "internal" | "usb" };

/** Gives a page's browser an authenticator in place of a finger on a real one. */
export async function addAuthenticator(page: Page, { transport }: Kind): Promise<VirtualAuthenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    count: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    async agree(agrees) {
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: agrees });
    },
  };
}

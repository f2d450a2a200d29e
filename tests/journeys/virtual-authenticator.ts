import type { CDPSession, Page } from "playwright-core";

/** Controls Chromium's virtual authenticator (WebAuthn Level 3, §11). */
export type VirtualAuthenticator = {
  /** The number of stored credentials. */
  count(): Promise<number>;
  /** Sets whether its user consents. */
  agree(agrees: boolean): Promise<void>;
};

/** `internal`: the device itself. `usb`: a security key. */
type Kind = { transport: "internal" | "usb" };

/** Adds a virtual authenticator to a page's browser, in place of a real one. */
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

/** Adds `randomUUID` where it is missing: pages without TLS lack it, but save trades and send messages too. */
export function addRandomUuid(to: Pick<Crypto, "getRandomValues" | "randomUUID">): void {
  to.randomUUID ??= () => {
    const bytes = Array.from(to.getRandomValues(new Uint8Array(16)));
    const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    // Version 4, and the variant of RFC 9562.
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-a$4-") as ReturnType<
      Crypto["randomUUID"]
    >;
  };
}

addRandomUuid(crypto);

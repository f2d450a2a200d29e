// Pages without TLS have no `crypto.randomUUID`, but save trades and send messages too.
crypto.randomUUID ??= () => {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)));
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // Version 4, and the variant of RFC 9562.
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-a$4-") as ReturnType<Crypto["randomUUID"]>;
};

export {};

export type Chain = "ethereum" | "solana";

/** A wallet's sign-in message: EIP-4361, whose format Solana shares except for the first line. */
export type WalletMessage = {
  domain: string;
  /** The wallet's normalized address: Ethereum's in lower case. */
  address: string;
  statement: string | null;
  uri: URL;
  chainId: string | null;
  issuedAt: Date;
  expiresAt: Date | null;
  notBefore: Date | null;
};

const FIRST_LINE = /^(\S{1,255}) wants you to sign in with your (Ethereum|Solana) account:$/;
const ADDRESS = { ethereum: /^0x[0-9a-f]{40}$/i, solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/ };
const CHAIN_ID = { ethereum: /^\d{1,20}$/, solana: /^(mainnet|devnet|testnet|localnet|solana:[a-z0-9]+)$/i };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** @throws WalletMessageError describing why this is not such a message */
export function parseWalletMessage(text: string, chain: Chain): WalletMessage {
  const lines = text.split("\n");
  if (lines.length < 6) throw new WalletMessageError("message needs to have at least 6 lines");
  const [first = "", address = "", empty, statement = "", afterStatement] = lines;
  const [, domain = "", account = ""] = FIRST_LINE.exec(first) ?? [];
  if (account.toLowerCase() !== chain) {
    throw new WalletMessageError("message first line does not match the required format");
  }
  if (!isHost(domain)) throw new WalletMessageError("domain in first line of message is not valid");
  if (!ADDRESS[chain].test(address)) {
    throw new WalletMessageError("wallet address is not in the correct format");
  }
  if (empty !== "") throw new WalletMessageError("third line must be empty");
  const hasStatement = statement !== "" && afterStatement === "";
  const fields = readFields(lines.slice(hasStatement ? 5 : 3), hasStatement ? 5 : 3);
  return {
    domain: domain.toLowerCase(),
    address: chain === "ethereum" ? address.toLowerCase() : address,
    statement: hasStatement ? statement : null,
    ...readValues(fields, chain),
  };
}

/** The message is a sentence for the author of the wallet message. */
export class WalletMessageError extends Error {
  override name = "WalletMessageError";
}

type Fields = Partial<Record<string, string>>;

/** Lines of the form `Name: value`, each name once; resources are ignored. */
function readFields(lines: string[], before: number): Fields {
  const fields: Fields = Object.create(null);
  let inResources = false;
  for (const [index, line] of lines.entries()) {
    inResources = line === "Resources:" || (inResources && line.startsWith("- "));
    if (inResources || line === "") continue;
    const [, name, value] = /^([A-Z][A-Za-z ]{1,30}): ?(.*)$/.exec(line) ?? [];
    if (name === undefined)
      throw new WalletMessageError(`encountered unparsable line at index ${before + index}`);
    // Two parsers could each use a different one.
    if (name in fields) throw new WalletMessageError(`${name} is there twice`);
    fields[name] = value;
  }
  return fields;
}

function readValues(fields: Fields, chain: Chain) {
  if (fields.Version !== "1") throw new WalletMessageError(`Version value is not supported, expected 1`);
  if (fields.URI === undefined) throw new WalletMessageError("URI is missing");
  if (!URL.canParse(fields.URI)) throw new WalletMessageError("URI is not valid");
  // EIP-4361 requires one, but upstream accepts a message without it.
  const chainId = fields["Chain ID"] ?? null;
  if (chainId !== null && !CHAIN_ID[chain].test(chainId)) {
    throw new WalletMessageError("Chain ID is not valid");
  }
  const issuedAt = readTime(fields, "Issued At");
  const expiresAt = readTime(fields, "Expiration Time");
  const notBefore = readTime(fields, "Not Before");
  if (issuedAt === null) throw new WalletMessageError("Issued At is missing");
  if (expiresAt && issuedAt > expiresAt) {
    throw new WalletMessageError("Issued At is after Expiration Time");
  }
  if (expiresAt && notBefore && notBefore > expiresAt) {
    throw new WalletMessageError("Not Before is after Expiration Time");
  }
  return { uri: new URL(fields.URI), chainId, issuedAt, expiresAt, notBefore };
}

function readTime(fields: Fields, name: string): Date | null {
  const text = fields[name];
  if (text === undefined) return null;
  const time = new Date(text);
  if (!TIME.test(text) || Number.isNaN(time.getTime())) throw new WalletMessageError(`${name} is not a time`);
  return time;
}

/** A host with optional port, in the browser's normalized form. */
function isHost(text: string): boolean {
  return URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text.toLowerCase();
}

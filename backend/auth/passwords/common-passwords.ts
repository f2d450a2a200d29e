import { weakPassword } from "../auth-error.ts";

/** The number required by ASVS 6.2.4. */
const COUNT = 3_000;

let known: Promise<ReadonlySet<string>> | undefined;

/** Loaded with the first new password, since the list is large and rarely needed. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"].slice(0, COUNT)),
  );
  return known;
}

/**
 * A policy of length and character groups accepts `P@ssw0rd2026!`, so common embellishments are removed first: case,
 * leading and trailing digits and symbols, digits and symbols in place of letters, repetition.
 * @throws AuthError 422
 */
export async function refuseCommon(password: string): Promise<void> {
  const common = await commonPasswords();
  if (!shapesOf(password).some((shape) => common.has(shape))) return;
  const message = `Password is too close to one of the ${COUNT} most common ones, please choose a different one.`;
  throw weakPassword(["pwned"], message);
}

/**
 * The site's own names are the first that its users think of, so they are refused, with any prefix or suffix.
 * @throws AuthError 422
 */
export function refuseOwnWords(password: string, names: readonly string[]): void {
  const words = names.flatMap((name) => {
    const parts = name.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
    return [parts.join(""), ...parts.filter((part) => part.length >= MIN_NAME)];
  });
  const shapes = shapesOf(password.replace(/[\s_.-]/g, ""));
  if (!words.some((word) => word !== "" && shapes.includes(word))) return;
  const message = "Password must not be a name of this site, please choose a different one.";
  throw weakPassword(["pwned"], message);
}

/** Shorter names occur in many words. */
const MIN_NAME = 4;

/**
 * The account's own address is easy to guess: refuses passwords that contain it, and the part before the @ alone.
 * @throws AuthError 422
 */
export function refuseOwnAddress(password: string, addresses: readonly (string | null | undefined)[]): void {
  const whole = password.toLowerCase();
  const shapes = shapesOf(password);
  for (const address of addresses) {
    if (!address) continue;
    const [name = ""] = address.toLowerCase().split("@");
    const isName = name.length >= MIN_NAME && shapesOf(name).some((shape) => shapes.includes(shape));
    if (!isName && !whole.includes(address.toLowerCase())) continue;
    const message = "Password must not be the account's own address or number.";
    throw weakPassword(["pwned"], message);
  }
}

const LETTERS: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

function shapesOf(password: string): string[] {
  const whole = password.toLowerCase();
  const bare = whole.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const plain = bare.replace(/[013457@$!]/g, (sign) => LETTERS[sign] as string);
  return [whole, bare, plain].flatMap((shape) => [shape, shape.replace(/^(.+?)\1+$/, "$1")]);
}

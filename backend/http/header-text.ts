/** A header's name: a token (RFC 9110 §5.6.2). */
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** What a header's value or a reason phrase may hold: of the control characters, only the tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be sent
export const HEADER_TEXT = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Text as HTTP's strings have it, with a character per byte: beyond ASCII, those of UTF-8. */
export function toHeaderText(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text).toString("latin1") : text;
}

export function isBeyondAscii(text: string): boolean {
  return BEYOND_ASCII.test(text);
}

/** The text of a header that was sent as UTF-8. */
export function fromHeaderText(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, "latin1").toString() : text;
}

/**
 * A text as it was typed or pasted, without the white space around it and the invisible characters within it, which
 * come along from chats and web pages: nobody would see why it is refused.
 */
export function typedText(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, "").trim();
}

/** Arabic, Persian, Hindi and Bengali digits, and those of full width, as keyboards of these languages type them. */
const DIGITS = /[٠-٩۰-۹०-९০-৯０-９]/g;
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xff10];

/** A number as it was typed or pasted, in the digits and separators that all others read. */
export function typedNumber(text: string): string {
  return typedText(text).replace(DIGITS, toDigit).replaceAll("٫", ".").replaceAll("٬", ",");
}

function toDigit(sign: string): string {
  const code = sign.charCodeAt(0);
  return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
}

declare const shown: unique symbol;

/**
 * Text that may be logged. Its words come from the source code; values from a caller, a database or a file can only be
 * numbers, other log texts, or passed through `quoteScrubbed`. A plain string does not compile.
 */
export type LogText = string & { readonly [shown]: true };

/** Composes a log line: logText`auth: ${BURST} sign-ins failed`. */
export function logText(words: TemplateStringsArray, ...values: readonly (number | LogText)[]): LogText {
  return String.raw({ raw: words }, ...values) as LogText;
}

const LONGEST_QUOTE = 500;

/** Patterns that identify people or devices, and credentials; the most specific first. */
const PERSONAL: readonly [RegExp, string][] = [
  [/\b[a-z][a-z\d+.-]*:\/\/[^\s/@]*@/gi, "…//…@"],
  [/[\w.+%-]+@[\w-]+(\.[\w-]+)+/g, "(mail)"],
  [/\b[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}\b/gi, "(id)"],
  [/\beyJ[\w-]+(\.[\w-]*)*/g, "(token)"],
  [/\b\d{1,3}(\.\d{1,3}){3}\b/g, "(address)"],
  [/(?<![\w:])([\da-f]{1,4}:|::){2,7}[\da-f:]*/gi, "(address)"],
  [/\+\d[\d ()-]{6,}\d/g, "(telephone)"],
  [/(?<![\w/+.-])[\w+/=-]*\d[\w+/=-]*(?![\w/+.-])/g, "(secret)"],
];

/** From this length on, a word with digits may be a key, a hash or a code; names of files and errors are shorter. */
const SECRET_LENGTH = 20;

/** Quotes text from elsewhere, such as a function's output, with personal data and credentials removed. */
export function quoteScrubbed(text: string): LogText {
  let scrubbed = text.slice(0, LONGEST_QUOTE);
  for (const [pattern, instead] of PERSONAL)
    scrubbed = scrubbed.replace(pattern, (found) =>
      instead === "(secret)" && found.length < SECRET_LENGTH ? found : instead,
    );
  return scrubbed as LogText;
}

/** Text chosen by the operator or in the source code: a folder, a setting's name, a function's. */
export function fromOperator(text: string): LogText {
  return text as LogText;
}

declare const shown: unique symbol;

/**
 * What may stand in the log. Its words are the source's own; what a caller, a database or a file says gets in by number, by
 * another sentence, or by `quoteScrubbed`, and a plain string does not compile.
 */
export type Sentence = string & { readonly [shown]: true };

/** Composes what may be logged: sentence`auth: ${BURST} sign-ins failed`. */
export function sentence(words: TemplateStringsArray, ...values: readonly (number | Sentence)[]): Sentence {
  return String.raw({ raw: words }, ...values) as Sentence;
}

const LONGEST_QUOTE = 500;

/** What people and their devices are known by, and what opens anything; the longest pattern first. */
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

/** Of these lengths on, a word with figures in it may be a key, a hash or a code; names of files and errors are shorter. */
const SECRET_LENGTH = 20;

/** What somebody else worded, such as a function's own line: without what names a person, a device or opens anything. */
export function quoteScrubbed(text: string): Sentence {
  let scrubbed = text.slice(0, LONGEST_QUOTE);
  for (const [pattern, instead] of PERSONAL)
    scrubbed = scrubbed.replace(pattern, (found) =>
      instead === "(secret)" && found.length < SECRET_LENGTH ? found : instead,
    );
  return scrubbed as Sentence;
}

/** What the operator chose, or the source itself words: a folder, a setting's name, a function's. */
export function fromOperator(text: string): Sentence {
  return text as Sentence;
}

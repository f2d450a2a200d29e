import { StorageError } from "../storage-error.ts";

const NUMBER = "-?\\d{1,9}";
const RULE = [
  "all|noindex|nofollow|none|nosnippet|indexifembedded|notranslate|noimageindex",
  `max-(?:snippet|video-preview) *: *${NUMBER}`,
  "max-image-preview *: *(?:none|standard|large)",
  // A date may start with the day of the week and a comma.
  "unavailable_after *: *(?:[a-z]{3,9}, *)?\\d[\\w :.+-]*",
].join("|");
/** One rule, perhaps for one crawler only, and what separates it from the next. */
const NEXT = new RegExp(`(?:[\\w.-]+ *: *)?(?:${RULE}) *(?:, *(?!$)|$)`, "iy");
const LONGEST = 255;

/**
 * Validates what an uploader lets search engines do with a file, which becomes a header of every response with it.
 * @throws StorageError 400
 */
export function robotsTag(text: string): string {
  const tag = text.trim();
  if (tag === "") throw invalid("X-Robots-Tag header value must be a non-empty string");
  if (tag.length > LONGEST) throw invalid("X-Robots-Tag header is too long");
  NEXT.lastIndex = 0;
  for (let start = 0; start < tag.length; start = NEXT.lastIndex) {
    if (NEXT.test(tag)) continue;
    const [rule = ""] = tag.slice(start).split(",", 1);
    throw invalid(`Invalid X-Robots-Tag rule: "${rule.trim()}"`);
  }
  return tag;
}

function invalid(reason: string): StorageError {
  const message = `Invalid X-Robots-Tag header: ${reason}`;
  return new StorageError(400, "InvalidXRobotsTag", message, { error: "invalid_x_robots_tag" });
}

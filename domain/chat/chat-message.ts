import { LIMITS, lengthOf } from "../text/limits.ts";

const { max } = LIMITS.chat.message;

/** Why a typed chat message is invalid, or null (5.chat.01–03); it is stored trimmed, after the people's names. */
export function findMessageFault(text: string, names = ""): string | null {
  const length = lengthOf(text.trim());
  if (length === 0) return "Message cannot be empty";
  return lengthOf(names) + length > max ? `Message too long (max ${max} characters)` : null;
}

/**
 * A number as it was typed or pasted, without the white space around it and the invisible characters within it, which
 * come along from chats and web pages: nobody would see why it is refused.
 */
export function typedNumber(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, "").trim();
}

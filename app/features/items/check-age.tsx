import { formatAge } from "#domain/text/age.ts";

/** How old the last check of an item's values is, which is not its last edit (P7). */
export function CheckAge({ checked, now }: { checked: string; now: number }) {
  return (
    <>
      Checked <time dateTime={checked}>{formatAge(checked, now)}</time>
    </>
  );
}

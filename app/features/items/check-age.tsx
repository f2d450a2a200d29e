import { formatAge } from "#domain/text/age.ts";

/** How long ago an item's values were last checked, which is not its last edit (P7). */
export function CheckAge({ checked, now }: { checked: string; now: number }) {
  return (
    <>
      Checked <time dateTime={checked}>{formatAge(checked, now)}</time>
    </>
  );
}

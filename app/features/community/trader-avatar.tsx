import { initialsOf } from "#app/features/profile/initials.ts";
import { usePicture } from "#app/features/site/use-picture.ts";
import { readDrawing } from "#domain/people/avatar.ts";

/** The hulls that initials sail on; which one a name gets stays the same. */
const HULLS = [
  "[--hull:#0b5563]",
  "[--hull:#855000]",
  "[--hull:#5a3ba6]",
  "[--hull:#a8144f]",
  "[--hull:#2a6234]",
];
/** Across, in CSS pixels, as its stylesheet has it. */
const SIZE = 56;

/** A trader's picture over their initials, which stay where there is none or it does not come. The name stands beside it. */
export function TraderAvatar({ username, url }: { username: string; url: string | null }) {
  const picture = usePicture(url, SIZE);
  return (
    <span aria-hidden="true" className={`avatar ${hullOf(username)}`}>
      {initialsOf(username)}
      {picture && (
        <img {...picture} alt="" loading="lazy" decoding="async" data-color={readDrawing(url)?.color} />
      )}
    </span>
  );
}

function hullOf(username: string): string | undefined {
  const sum = [...username].reduce((all, letter) => all + letter.charCodeAt(0), 0);
  return HULLS[sum % HULLS.length];
}

import { initialsOf } from "#app/features/profile/initials.ts";
import { usePicture } from "#app/features/site/use-picture.ts";
import { readDrawing } from "#domain/people/avatar.ts";

/** The background colors of initials; a name always gets the same one. */
const HULLS = [
  "[--hull:#0b5563]",
  "[--hull:#855000]",
  "[--hull:#5a3ba6]",
  "[--hull:#a8144f]",
  "[--hull:#2a6234]",
];
/** In CSS pixels, as in the stylesheet. */
const SIZE = 56;

/** A trader's avatar over their initials, which show without one. The name stands beside it. */
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

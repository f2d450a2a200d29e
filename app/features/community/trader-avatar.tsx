import { hullOf, initialsOf } from "#app/features/profile/initials.ts";
import { usePicture } from "#app/features/site/use-picture.ts";
import { readDrawing } from "#domain/people/avatar.ts";

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

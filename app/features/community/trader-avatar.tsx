import { Picture } from "#app/features/pictures/picture.tsx";
import { hullOf, initialsOf } from "#app/features/profile/initials.ts";
import { readDrawing } from "#domain/people/avatar.ts";

/** In CSS pixels, as in the stylesheet. */
const SIZE = 56;

/** A trader's avatar over their initials, which show without one. The name stands beside it. */
export function TraderAvatar({ username, url }: { username: string; url: string | null }) {
  return (
    <span aria-hidden="true" className={`avatar ${hullOf(username)}`}>
      {initialsOf(username)}
      <Picture src={url} size={SIZE} data-color={readDrawing(url)?.color} />
    </span>
  );
}

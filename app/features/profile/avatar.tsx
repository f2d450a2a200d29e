import { Picture } from "#app/features/pictures/picture.tsx";
import { readDrawing } from "#domain/people/avatar.ts";
import { hullOf, initialsOf } from "./initials.ts";

type AvatarProps = {
  username: string;
  /** If missing or unreachable, initials are shown at the same size. */
  url: string | null;
  /** Width and height in CSS pixels. */
  size: number;
  className?: string;
};

/** A user's avatar. Decorative, since the name stands beside it. */
export function Avatar({ username, url, size, className = "" }: AvatarProps) {
  const color = readDrawing(url)?.color;
  const fit = color ? "" : "object-cover bg-sunken";
  return (
    <Picture
      src={url}
      size={size}
      data-color={color}
      className={`${fit} shrink-0 rounded-full ${className}`}
      otherwise={<Initials username={username} size={size} className={className} />}
    />
  );
}

function Initials({ username, size, className }: { username: string; size: number; className: string }) {
  return (
    <svg
      aria-hidden="true"
      data-initials=""
      width={size}
      height={size}
      viewBox="0 0 40 40"
      className={`shrink-0 rounded-full bg-(--hull) ${hullOf(username)} ${className}`}
    >
      <text
        x="20"
        y="20"
        textAnchor="middle"
        dominantBaseline="central"
        fontSize="15"
        fontWeight="700"
        fill="#fff"
      >
        {initialsOf(username)}
      </text>
    </svg>
  );
}

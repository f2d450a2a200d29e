import { usePicture } from "#app/features/site/use-picture.ts";
import { readDrawing } from "#domain/people/avatar.ts";
import { initialsOf } from "./initials.ts";

type AvatarProps = {
  username: string;
  /** Absent or unreachable: the name's initials, at the same size. */
  url: string | null;
  /** Across, in CSS pixels. */
  size: number;
  className?: string;
};

/** A person's picture. The name stands beside it, so it says nothing to a screen reader. */
export function Avatar({ username, url, size, className = "" }: AvatarProps) {
  const picture = usePicture(url, size);
  const shape = `shrink-0 rounded-full bg-sunken ${className}`;
  if (!picture) return <Initials username={username} size={size} className={shape} />;
  const color = readDrawing(url)?.color;
  const fit = color ? "" : "object-cover bg-sunken";
  return (
    <img
      {...picture}
      alt=""
      decoding="async"
      loading="lazy"
      data-color={color}
      className={`${fit} shrink-0 rounded-full ${className}`}
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
      className={className}
    >
      <text
        x="20"
        y="20"
        textAnchor="middle"
        dominantBaseline="central"
        fontSize="15"
        fontWeight="700"
        fill="currentColor"
        className="text-muted"
      >
        {initialsOf(username)}
      </text>
    </svg>
  );
}

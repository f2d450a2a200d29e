/** Background colors of picked drawings, as the database knows them. */
export const AVATAR_COLORS = [
  "amber",
  "coral",
  "rose",
  "plum",
  "violet",
  "ocean",
  "teal",
  "moss",
  "sand",
  "slate",
] as const;
export type AvatarColor = (typeof AVATAR_COLORS)[number];

const DRAWING = /^(\/items\/[a-z0-9-]{1,80}\.svg)#([a-z]+)$/;

/** A catalogue drawing with its background color (P47); null for an uploaded picture, or none. */
export function readDrawing(url: string | null): { picture: string; color: AvatarColor } | null {
  const [, picture = "", name] = DRAWING.exec(url ?? "") ?? [];
  const color = AVATAR_COLORS.find((each) => each === name);
  return color ? { picture, color } : null;
}

/** The drawing's URL as stored in a profile. */
export function drawingUrl(picture: string, color: AvatarColor): string {
  return `${picture}#${color}`;
}

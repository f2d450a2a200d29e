import type { RouterContextProvider } from "react-router";
import { picturesContext, type ReadPicture, siteContext } from "#app/server-context.ts";
import { drawText } from "./preview-text.ts";

/** The size that parsers of shared links expect (Open Graph, X's large card). */
const PREVIEW_WIDTH = 1_200;
const PREVIEW_HEIGHT = 630;

/** The site's dark theme colors (tokens.css); a preview cannot follow a theme. */
export const COLORS = {
  hull: "#0b2a37",
  card: "#123a49",
  text: "#f6eedd",
  muted: "#b7cad0",
  lantern: "#ffc766",
  rise: "#62e2a2",
  fall: "#ff9486",
} as const;

const MARK = "/favicon.svg";

/** Responds with a preview for link parsers, revalidated by entity tag. */
export async function answerPreview(
  context: Readonly<RouterContextProvider>,
  draw: (read: ReadPicture) => string,
): Promise<Response> {
  const read = context.get(picturesContext);
  const png = await drawPreview(draw(read), context.get(siteContext).siteName, read);
  return new Response(new Uint8Array(png), { headers: { "content-type": "image/png" } });
}

/** Draws a preview's content on the site's background, with logo and name at the bottom. */
export async function drawPreview(content: string, siteName: string, read: ReadPicture): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_WIDTH}" height="${PREVIEW_HEIGHT}">
    <rect width="100%" height="100%" fill="${COLORS.hull}"/>
    ${WATER}
    ${content}
    ${drawPicture(MARK, 60, 542, 56, read)}
    ${drawText(siteName, 132, 582, { font: "display", size: 38, fill: COLORS.text, maxWidth: 800 })}
  </svg>`;
  // Loaded with the first preview: starting without them is faster and takes less memory.
  const [{ renderAsync }, { default: sharp }] = await Promise.all([
    import("@resvg/resvg-js"),
    import("sharp"),
  ]);
  // Not rendered by sharp, which storage forbids to read SVG in this process. Its palette makes the image a third of
  // the size.
  const drawn = await renderAsync(svg, { font: { loadSystemFonts: false } });
  return sharp(drawn.asPng()).png({ palette: true, quality: 90 }).toBuffer();
}

/** One of the site's own pictures in a square; the site's logo if it is missing. */
export function drawPicture(address: string, x: number, y: number, size: number, read: ReadPicture): string {
  const picture = read(address) ?? read(MARK);
  if (!picture) return "";
  const data = picture.toString("base64");
  return `<image x="${x}" y="${y}" width="${size}" height="${size}" href="data:image/svg+xml;base64,${data}"/>`;
}

const WATER = [
  ["#0f3d4a", 505],
  ["#0c303c", 545],
]
  .map(([fill, y]) => {
    const swells = Array.from({ length: 8 }, () => "q75 -26 150 0").join(" ");
    return `<path fill="${fill}" d="M0 ${y} ${swells} V630 H0 z"/>`;
  })
  .join("");

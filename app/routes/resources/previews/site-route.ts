import type { SiteConfig } from "#app/features/site/site-config.ts";
import { type ReadPicture, siteContext } from "#app/server-context.ts";
import type { Route } from "./+types/site-route.ts";
import { answerPreview, COLORS, drawPicture } from "./draw-preview.ts";
import { drawText } from "./preview-text.ts";

/** `/share.png`: the preview of every page without its own. */
export async function loader({ context }: Route.LoaderArgs) {
  return answerPreview(context, (read) => drawSite(context.get(siteContext), read));
}

const LANTERNS = ["kitsune", "west-dragon", "control", "portal", "buddha"];

/** The image of pages without their own: fruits on a rope, and what the site is for. */
function drawSite({ siteName, gameName }: SiteConfig, read: ReadPicture): string {
  const rope = `fill="none" stroke-linecap="round" d="M-10 6 Q600 180 1210 6"`;
  return [
    `<path ${rope} stroke="#b88f45" stroke-width="9"/><path ${rope} stroke="#5c431c" stroke-width="5" stroke-dasharray="9 11"/>`,
    ...LANTERNS.map((slug, index) => {
      const x = 40 + index * 228;
      const sag = 96 - ((x + 80 - 600) / 600) ** 2 * 90;
      return drawPicture(`/items/${slug}.svg`, x, sag - 6, 150, read);
    }),
    drawText(siteName, 60, 370, { font: "display", size: 108, fill: COLORS.text, maxWidth: 1_080 }),
    drawText(`${gameName} values and trade calculator`, 60, 444, {
      font: "plain",
      size: 44,
      fill: COLORS.muted,
      maxWidth: 1_080,
    }),
  ].join("");
}

import type { CSSOptions } from "vite";

type PostcssOptions = Exclude<CSSOptions["postcss"], string | undefined>;
type PostcssPlugin = NonNullable<PostcssOptions["plugins"]>[number];

const MEDIA = "(hover: hover)";

/**
 * Puts each rule with `:hover` into `@media (hover: hover)`. After a tap, phones treat the element as hovered: the page
 * would be repainted before it responds to the tap, and the style would stick.
 */
export function hoverOnly(): PostcssPlugin {
  return {
    postcssPlugin: "hover-only",
    Rule(rule, { AtRule }) {
      if (!rule.selector.includes(":hover")) return;
      for (let place = rule.parent; place; place = place.parent as typeof rule.parent)
        if (place.type === "atrule" && "params" in place && place.params === MEDIA) return;
      if (
        rule.selectors.some(
          (each) => !each.includes(":hover") || /:(is|where|not)\([^)]*:hover[^)]*,/.test(each),
        )
      )
        throw rule.error("a rule of its own for :hover, or a touch screen would not know the rest of it");
      const media = new AtRule({ name: "media", params: MEDIA });
      rule.replaceWith(media);
      media.append(rule);
    },
  };
}

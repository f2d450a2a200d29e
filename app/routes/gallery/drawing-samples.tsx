import { ItemImage } from "#app/features/items/item-image.tsx";
import { Sample, Samples } from "./sample.tsx";

/** Pictures of the initial catalogue, from common to mythical where available. */
const PICTURES = {
  "Natural fruits": ["rocket", "diamond", "spider", "quake", "venom"],
  "Elemental fruits": ["smoke", "light", "magma", "lightning", "gas"],
  "Beast fruits": ["eagle", "phoenix", "t-rex", "tiger", "kitsune"],
  Skins: ["ruby-diamond", "orange-portal", "green-lightning", "torment-pain", "crimson-kitsune"],
  "No fruits": ["2x-money", "fast-boats", "legendary-scrolls", "dragon-token", "parrot"],
};

/** Item pictures by kind and rarity, small and large, and the placeholder. */
export function DrawingSamples() {
  return (
    <Samples title="Drawings">
      {Object.entries(PICTURES).map(([kind, slugs]) => (
        <Sample key={kind} of={kind}>
          {slugs.map((slug) => (
            <ItemImage key={slug} src={`/items/${slug}.svg`} size={96} eager />
          ))}
          <ItemImage src={`/items/${slugs[0]}.svg`} size={48} eager />
        </Sample>
      ))}
      <Sample of="Placeholder">
        <ItemImage src={null} size={96} />
      </Sample>
    </Samples>
  );
}

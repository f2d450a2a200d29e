import { drawItem } from "#app/features/items/art/draw-item.ts";
import type { DrawnItem } from "#app/features/items/art/drawn-item.ts";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RARITIES } from "#domain/rarity.ts";
import { Sample, Samples } from "./sample.tsx";

const KINDS: [string, Pick<DrawnItem, "kind" | "type">][] = [
  ["Orchard", { kind: "natural", type: "fruit" }],
  ["Flame", { kind: "elemental", type: "fruit" }],
  ["Tiger", { kind: "beast", type: "fruit" }],
  ["Fast Boats", { kind: null, type: "gamepass" }],
  ["Dragon Token", { kind: null, type: "item" }],
  ["Parrot Cage", { kind: null, type: "item" }],
];

/** Item pictures by kind and rarity, small and large, and the placeholder. */
export function DrawingSamples() {
  return (
    <Samples title="Drawings">
      {KINDS.map(([name, facts]) => (
        <Sample key={name} of={name}>
          {RARITIES.map((rarity) => (
            <ItemImage key={rarity} src={picture({ name, slug: name, rarity, ...facts })} size={96} eager />
          ))}
          <ItemImage src={picture({ name, slug: name, rarity: "rare", ...facts })} size={48} eager />
        </Sample>
      ))}
      <Sample of="Placeholder">
        <ItemImage src={null} size={96} />
      </Sample>
    </Samples>
  );
}

function picture(item: DrawnItem): string {
  return `data:image/svg+xml,${encodeURIComponent(drawItem(item))}`;
}

import { useState } from "react";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { ControlSamples } from "./control-samples.tsx";
import { Sample, Samples } from "./sample.tsx";
import { SurfaceSamples } from "./surface-samples.tsx";

export function meta() {
  return [{ title: "Gallery" }, { name: "robots", content: "noindex" }];
}

/** Every part of `app/ui` in every state; the switch above shows them in light and dark. Development only. */
export default function Gallery() {
  return (
    <div className="page grid gap-10">
      <h1>Gallery</h1>
      <ControlSamples />
      <SurfaceSamples />
      <NoticeSamples />
      <DrawingSamples />
    </div>
  );
}

/** Pictures of the initial catalogue, from common to mythical where available. */
const PICTURES = {
  "Natural fruits": ["rocket", "diamond", "spider", "quake", "venom"],
  "Elemental fruits": ["smoke", "light", "magma", "lightning", "gas"],
  "Beast fruits": ["eagle", "phoenix", "t-rex", "tiger", "kitsune"],
  Skins: ["ruby-diamond", "orange-portal", "green-lightning", "torment-pain", "crimson-kitsune"],
  "No fruits": ["2x-money", "fast-boats", "legendary-scrolls", "dragon-token", "parrot"],
};

/** Item pictures by kind and rarity, small and large, and the placeholder. */
function DrawingSamples() {
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

function NoticeSamples() {
  const [open, setOpen] = useState(false);
  return (
    <Samples title="Notices">
      <Sample of="Toast, Dialog">
        <Button onClick={() => showToast({ title: "Success", description: "Trade saved to history" })}>
          Success
        </Button>
        <Button
          onClick={() =>
            showToast({ title: "Error", description: "Failed to save trade", variant: "destructive" })
          }
        >
          Destructive
        </Button>
        <Button onClick={() => setOpen(true)}>Open dialog</Button>
        <Dialog open={open} onClose={() => setOpen(false)} title="Select Item" size="wide">
          {Array.from({ length: 30 }, (_, line) => `Line ${line + 1} of a long list`).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Dialog>
      </Sample>
      <div className="grid gap-4 md:grid-cols-3">
        <Card>
          <EmptyState title="No items found">Try another name or category.</EmptyState>
        </Card>
        <Card>
          <ErrorState />
        </Card>
        <Card className="grid content-start gap-3">
          <Skeleton className="h-32" />
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-5 w-1/2" />
        </Card>
      </div>
    </Samples>
  );
}

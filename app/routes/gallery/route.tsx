import { ControlSamples } from "./control-samples.tsx";
import { DrawingSamples } from "./drawing-samples.tsx";
import { NoticeSamples } from "./notice-samples.tsx";
import { SurfaceSamples } from "./surface-samples.tsx";

export function meta() {
  return [{ title: "Gallery" }, { name: "robots", content: "noindex" }];
}

/** Every part of `app/ui` in every state; the switch above shows them in light and dark. Development only. */
export default function Gallery() {
  return (
    <div className="page grid gap-10 py-10">
      <h1>Gallery</h1>
      <ControlSamples />
      <SurfaceSamples />
      <NoticeSamples />
      <DrawingSamples />
    </div>
  );
}

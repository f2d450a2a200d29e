import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { Disclosure } from "#app/ui/disclosure.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { DEMANDS } from "#domain/items/demand.ts";
import { RARITIES } from "#domain/items/rarity.ts";
import { Sample, Samples } from "./sample.tsx";

export function SurfaceSamples() {
  return (
    <Samples title="Surfaces">
      <Sample of="RarityBadge: all, unknown, missing">
        {[...RARITIES, "cosmic", null].map((rarity) => (
          <RarityBadge key={rarity} rarity={rarity} />
        ))}
      </Sample>
      <Sample of="DemandBadge: all, unknown, missing">
        {[...DEMANDS, "extreme", null].map((demand) => (
          <DemandBadge key={demand} demand={demand} />
        ))}
      </Sample>
      <Sample of="Badge">
        <Badge>Fruit</Badge>
        <Badge tone="accent">Permanent</Badge>
        <Badge tone="rise">Rising</Badge>
        <Badge tone="fall">Falling</Badge>
      </Sample>
      <Sample of="Breadcrumbs">
        <Breadcrumbs
          steps={[
            { name: "Values", path: "/values" },
            { name: "Kitsune", path: "/fruits/kitsune" },
          ]}
        />
      </Sample>
      <Cards />
      <div>
        <Disclosure question="What is a permanent value?">
          What the permanent form of a fruit trades for.
        </Disclosure>
        <Disclosure question="Opened" open>
          With its answer in view.
        </Disclosure>
      </div>
    </Samples>
  );
}

function Cards() {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Card as="section">
        <CardTitle>Trade Reference Guide</CardTitle>
        <dl className="grid gap-2">
          <Stat label="Fair Trade Range">576M to 704M</Stat>
          <Stat label="Recommended Offer (Buying)">608M</Stat>
        </dl>
      </Card>
      <Card className="card-lift">
        <dl>
          <Stat label="Current Value" size="big">
            11.96B
          </Stat>
        </dl>
      </Card>
      <Card variant="well">A well, sunk into the page.</Card>
    </div>
  );
}

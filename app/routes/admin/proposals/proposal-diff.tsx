import { EvidencePicture, OutsideEvidence } from "#app/features/items/evidence-link.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { useRead } from "#app/features/live/use-read.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { titled } from "#domain/text/words.ts";
import { describeChange } from "#domain/values/large-change.ts";
import { readWaitingPictures } from "./pictures/picture-queries.ts";
import type { Proposal } from "./proposal-queries.ts";

/** `640M → 700M (+9.38%)`, or the words of a demand. */
export function describeProposal({
  field,
  old_value,
  new_value,
}: Pick<Proposal, "field" | "old_value" | "new_value">): string {
  if (field === "demand") return `${titled(old_value ?? "")} → ${titled(new_value ?? "")}`;
  return describeChange(old_value, new_value);
}

/** The item, the field, and its values before and after. */
export function ProposalDiff({ proposal }: { proposal: Proposal }) {
  const { items: item, field } = proposal;
  return (
    <div className="grid grid-cols-[2.5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-2">
      <ItemImage src={item.image_url} size={40} />
      <p className="grid">
        <strong>{item.name}</strong>
        <span className="text-muted text-sm">{labelOf(field)}</span>
      </p>
      <p className="figures col-span-full font-semibold text-lg">{describeProposal(proposal)}</p>
    </div>
  );
}

/** The chosen reason, the note, and the evidence if there is any. */
export function ProposalReason({ proposal }: { proposal: Proposal }) {
  const { value_reasons: reason, note, evidence_url, picture } = proposal;
  return (
    <p className="wrap-anywhere">
      {[reason.label, note].filter(Boolean).join(": ")}
      {evidence_url && " "}
      <OutsideEvidence href={evidence_url}>{(host) => `Evidence on ${host}`}</OutsideEvidence>
      {picture && <PictureOfProposal name={picture} />}
    </p>
  );
}

/** A waiting proposal's screenshot, which is decided on in the section for pictures. */
function PictureOfProposal({ name }: { name: string }) {
  const { data } = useRead(["change_pictures", "waiting"], readWaitingPictures);
  const waiting = data?.find(({ path }) => path.endsWith(`/${name}`));
  return waiting && <EvidencePicture address={waiting.address} alt="Screenshot as evidence, in full size" />;
}

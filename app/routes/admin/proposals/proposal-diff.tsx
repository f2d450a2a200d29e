import { ItemImage } from "#app/features/items/item-image.tsx";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { titled } from "#domain/text/words.ts";
import { describeChange } from "#domain/values/large-change.ts";
import type { Proposal } from "./proposal-queries.ts";

/** `640M → 700M (+9.38%)`, or the words of a demand. */
export function describeProposal({ field, old_value, new_value }: Proposal): string {
  if (field === "demand") return `${titled(old_value ?? "")} → ${titled(new_value ?? "")}`;
  return describeChange(old_value, new_value);
}

/** The item, which of its fields, and what it was and would be. */
export function ProposalDiff({ proposal }: { proposal: Proposal }) {
  const { items: item, field } = proposal;
  return (
    <div className="proposal-diff">
      <ItemImage src={item.image_url} size={40} />
      <p className="grid">
        <strong>{item.name}</strong>
        <span className="text-muted text-sm">{labelOf(field)}</span>
      </p>
      <p className="figures proposal-figures">{describeProposal(proposal)}</p>
    </div>
  );
}

/** Why: the chosen reason, the note, and the evidence where there is any. */
export function ProposalReason({ proposal }: { proposal: Proposal }) {
  const { value_reasons: reason, note, evidence_url } = proposal;
  return (
    <p className="proposal-reason">
      {[reason.label, note].filter(Boolean).join(": ")}
      {evidence_url && (
        <>
          {" "}
          <a href={evidence_url} className="link" rel="nofollow ugc noopener" target="_blank">
            Evidence on {new URL(evidence_url).hostname}
          </a>
        </>
      )}
    </p>
  );
}

import { useMemo, useState } from "react";
import { saveFile } from "#app/features/profile/save-file.ts";
import { ItemField } from "#app/routes/admin/items/edit/item-field.tsx";
import type { Catalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { useGrowingList } from "#app/routes/admin/items/use-growing-list.ts";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { ScrollRegion } from "#app/ui/scroll-region.tsx";
import { SegmentedControl } from "#app/ui/segmented-control.tsx";
import type { ImportLine, ImportRow } from "#domain/items/item-import.ts";
import { countOf } from "#domain/text/counts.ts";
import { describeChange } from "#domain/values/large-change.ts";
import { writeRefused } from "./csv.ts";

type ImportPreviewProps = {
  lines: readonly ImportLine[];
  rows: readonly ImportRow[];
  ignored: readonly string[];
  catalogue: Catalogue;
  isBusy: boolean;
  onImport(rows: readonly ImportRow[], reason: string): void;
};

type Kind = ImportRow["kind"];
const KINDS: Record<Kind, { label: string; tone: BadgeTone }> = {
  changed: { label: "Changed", tone: "accent" },
  new: { label: "New", tone: "rise" },
  refused: { label: "Refused", tone: "fall" },
  same: { label: "Unchanged", tone: "neutral" },
};

/** What each line would do, and why lines are refused; one press then writes the others. */
export function ImportPreview({ lines, rows, ignored, catalogue, isBusy, onImport }: ImportPreviewProps) {
  const [kind, setKind] = useState<Kind | "all">("all");
  const [reason, setReason] = useState("");
  const [sureOf, setSureOf] = useState("");
  const count = (wanted: Kind) => rows.filter((row) => row.kind === wanted).length;
  const large = rows
    .filter((row) => row.kind === "changed")
    .filter(({ changes }) => changes.some(({ isLarge }) => isLarge));
  const acting = rows.filter((row) => row.kind === "new" || row.kind === "changed");
  const wanted = useMemo(() => rows.filter((row) => kind === "all" || row.kind === kind), [rows, kind]);
  const { rows: shown, end } = useGrowingList(wanted, wanted);
  // What was ticked: others may change what is large.
  const asked = JSON.stringify(
    large.map(({ slug, changes }) => [slug, changes.filter(({ isLarge }) => isLarge)]),
  );
  const isSure = sureOf === asked;
  const isHeld = large.length > 0 && !isSure;
  const options = (["all", ...(Object.keys(KINDS) as Kind[])] as const).map((value) => ({
    value,
    label: value === "all" ? `All ${rows.length}` : `${KINDS[value].label} ${count(value)}`,
  }));
  return (
    <div className="grid grid-cols-1 gap-3">
      {ignored.length > 0 && (
        <p className="text-muted text-sm">Columns we don’t know: {ignored.join(", ")}.</p>
      )}
      <div className="overflow-x-auto p-1">
        <SegmentedControl label="Lines" options={options} value={kind} onChange={setKind} size="compact" />
      </div>
      <ScrollRegion label="Lines of the file" className="import-lines">
        <ul>
          {shown.map((row) => (
            <li key={row.line}>
              <span className="figures text-muted">{row.line}</span>
              <Badge tone={KINDS[row.kind].tone}>{KINDS[row.kind].label}</Badge>
              <span className="wrap-anywhere">
                <strong>{row.slug || "no slug"}</strong> <Effect row={row} catalogue={catalogue} />
              </span>
            </li>
          ))}
        </ul>
        <div ref={end} />
      </ScrollRegion>
      <ItemField
        name="import_reason"
        label="Reason for the changes"
        placeholder="Public, with each changed value"
        maxLength={200}
        value={reason}
        onChange={(value) => setReason(String(value))}
      />
      {large.length > 0 && (
        <ItemField
          name="sure"
          label={`${countOf(large.length, "value changes", "values change")} by more than half, and that is right`}
          isBox
          value={isSure}
          onChange={(value) => setSureOf(value === true ? asked : "")}
        />
      )}
      {isBusy && <progress aria-label="Writing" className="w-full" />}
      <div className="flex flex-wrap items-center justify-end gap-3">
        {count("refused") > 0 && (
          <>
            <span className="text-muted text-sm">
              {countOf(count("refused"), "refused line is", "refused lines are")} left out.
            </span>
            <Button
              size="sm"
              onClick={() => saveFile("refused-lines.csv", writeRefused(lines, rows), "text/csv")}
            >
              Download them with their reasons
            </Button>
          </>
        )}
        <Button
          size="sm"
          variant="primary"
          disabled={isBusy || isHeld || acting.length === 0}
          onClick={() => onImport(rows, reason.trim())}
        >
          {`${isBusy ? "Writing" : "Import"} ${countOf(acting.length, "item")}${isBusy ? "…" : ""}`}
        </Button>
      </div>
    </div>
  );
}

function Effect({ row, catalogue }: { row: ImportRow; catalogue: Catalogue }) {
  if (row.kind === "refused") return <span className="field-error">{row.reason}</span>;
  if (row.kind === "new") return <span className="figures text-muted">{row.item.current_value}</span>;
  if (row.kind === "same") return null;
  return row.changes.map(({ field, before, after, isLarge }) => (
    <span key={field} className={`figures mr-3 ${isLarge ? "font-bold text-fall" : "text-muted"}`}>
      {labelOf(field, catalogue.definitions)}: {describeFieldChange(field, before, after, catalogue)}
    </span>
  ));
}

function describeFieldChange(
  field: string,
  before: string,
  after: string,
  { categories }: Catalogue,
): string {
  if (/_(value|price)$/.test(field)) return describeChange(before, after);
  const name = (id: string) => categories.find((category) => category.id === id)?.name ?? id;
  return `${name(before) || "–"} → ${name(after) || "–"}`;
}

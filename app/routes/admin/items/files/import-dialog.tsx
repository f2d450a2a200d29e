import { useEffect, useRef, useState } from "react";
import { importItems } from "#app/routes/admin/items/admin-item-queries.ts";
import { FileButton } from "#app/routes/admin/items/edit/file-button.tsx";
import type { Catalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { isCustomField } from "#app/routes/admin/shared/field-definitions.ts";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { type ImportLine, type ImportRow, planImport } from "#domain/items/item-import.ts";
import { readCsv, readText } from "./csv.ts";
import { ImportPreview } from "./import-preview.tsx";
import { LastImport } from "./last-import.tsx";

type ImportDialogProps = {
  open: boolean;
  onClose(): void;
  catalogue: Catalogue;
};

/** Imports many items from a file: previewed line by line, then written in one transaction. */
export function ImportDialog({ open, onClose, ...props }: ImportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Import items" size="wide">
      <ImportSteps {...props} />
    </Dialog>
  );
}

/** A completed import: the id by which it can be undone, and its lines. */
type DoneImport = { id: string; rows: readonly ImportRow[] };

/** The text is read once, when the file is chosen, since the file may change or be deleted. */
type Chosen = { name: string; text: Promise<string> };

function ImportSteps({ catalogue }: { catalogue: Catalogue }) {
  const [file, setFile] = useState<Chosen | null>(null);
  const [done, setDone] = useState<DoneImport | null>(null);
  const { isBusy, act } = useAct("items");
  const caught = useFocusFallback(done);
  // Compared again when others change something, so that the preview shows what would happen now.
  const [compared, setCompared] = useState(catalogue);
  if (!isBusy && !done && compared !== catalogue) setCompared(catalogue);
  const plan = usePlan(file, compared);

  async function choose(chosen: File) {
    setDone(null);
    setFile({ name: chosen.name, text: readText(chosen) });
    return true;
  }

  const send = (rows: readonly ImportRow[], reason: string) =>
    act(
      async (client) => {
        const id = crypto.randomUUID();
        await importItems(client, { id, changes: toChanges(rows), reason });
        setDone({ id, rows });
        setFile(null);
      },
      "Items imported",
      tell(rows),
    );

  async function undo(id: string) {
    await act((client) => client.rpc("undo_import", { import_id: id }).throwOnError(), "Import undone");
    // Also if it failed: its answer may be lost. What can still be undone is offered as the latest import.
    setDone(null);
  }

  return (
    <div {...caught} className="grid grid-cols-1 gap-4">
      <p className="text-muted">
        A CSV file with a heading: <code>slug</code> says which item a line is about; columns you leave out
        stay as they are. Export gives you a file in this form.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <FileButton label="CSV file" accept=".csv,text/csv" disabled={isBusy} onChoose={choose}>
          {file ? "Choose another file" : "Choose a file"}
        </FileButton>
        {file && <span className="min-w-0 wrap-anywhere font-semibold">{file.name}</span>}
      </div>
      {file && !plan && <progress aria-label="Reading the file" className="w-full" />}
      {plan && "fault" in plan && (
        <p role="alert" className="field-error">
          {plan.fault}
        </p>
      )}
      {plan && "rows" in plan && (
        <ImportPreview
          {...plan}
          catalogue={compared}
          isBusy={isBusy}
          onImport={(rows, reason) => void send(rows, reason)}
        />
      )}
      {done && <Imported done={done} isBusy={isBusy} onUndo={() => void undo(done.id)} />}
      {!file && !done && <LastImport items={catalogue.items} isBusy={isBusy} onUndo={undo} />}
    </div>
  );
}

type Plan = { lines: ImportLine[]; rows: ImportRow[]; ignored: string[] } | { fault: string };

/** What a file would do to the catalogue, or why it cannot be read; null until it is read. */
function usePlan(file: Chosen | null, catalogue: Catalogue): Plan | null {
  const { items, categories, definitions, statuses } = catalogue;
  const [read, setRead] = useState<{ file: Chosen; plan: Plan } | null>(null);
  useEffect(() => {
    if (!file) return;
    let isCurrent = true;
    const custom = definitions.filter(isCustomField);
    const names = custom.map(({ name }) => name);
    file.text
      .then((text) => readCsv(text, names))
      .then(({ lines, ignored }) => ({
        lines,
        rows: planImport(lines, { items, categories, definitions: custom, statuses }),
        ignored,
      }))
      .catch((error: Error) => ({ fault: error.message }))
      .then((plan) => isCurrent && setRead({ file, plan }));
    return () => {
      isCurrent = false;
    };
  }, [file, items, categories, definitions, statuses]);
  return file !== null && read?.file === file ? read.plan : null;
}

function Imported({ done, isBusy, onUndo }: { done: DoneImport; isBusy: boolean; onUndo(): void }) {
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => status.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p ref={status} tabIndex={-1} role="status" className="font-semibold">
        Imported: {tell(done.rows)}
      </p>
      <Button size="sm" disabled={isBusy} onClick={onUndo}>
        Undo this import
      </Button>
    </div>
  );
}

/** What is sent: new and changed items in full, each with the version that it was compared with. */
function toChanges(rows: readonly ImportRow[]): object[] {
  return rows.flatMap((row) => {
    if (row.kind === "new") return [row.item];
    if (row.kind !== "changed") return [];
    return [{ ...row.item, id: row.stored.id, updated_at: row.stored.updated_at }];
  });
}

function tell(rows: readonly ImportRow[]): string {
  const count = (kind: ImportRow["kind"]) => rows.filter((row) => row.kind === kind).length;
  return `${count("new")} new, ${count("changed")} changed`;
}

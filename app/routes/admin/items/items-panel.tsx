import { lazy, type ReactNode, Suspense, useState } from "react";
import { readKept, writeKept } from "#app/features/browser-storage/kept.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import { saveFile } from "#app/features/profile/save-file.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { isCustomField } from "#app/routes/admin/shared/field-definitions.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { VisibilityPanel } from "#app/routes/admin/visibility/visibility-panel.tsx";
import { Button } from "#app/ui/button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { ArchiveSection } from "./archive/archive-section.tsx";
import { AddItemForm } from "./edit/add-item-form.tsx";
import { writeCsv } from "./files/csv.ts";
import { ImportDialog } from "./files/import-dialog.tsx";
import { LedgerDialog } from "./ledger/ledger-dialog.tsx";
import { ItemList } from "./list/item-list.tsx";
import { type Catalogue, useCatalogue } from "./use-catalogue.ts";

const StatusSection = lazy(() => import("./status/status-section.tsx"));
// Needed on a few days of the year.
const UpdatesSection = lazy(() => import("./updates/updates-section.tsx"));

/** Manage Items (2.admin.02 to .10): page visibility, a form for new items, the catalogue, and the archive. */
export default function ItemsPanel() {
  return (
    <ReadState read={useCatalogue()} what="Items">
      {(catalogue) => <Items catalogue={catalogue} />}
    </ReadState>
  );
}

function Items({ catalogue }: { catalogue: Catalogue }) {
  const [ledgerOf, setLedgerOf] = useState<Item | null>(null);
  // The current item, not the one for which the ledger was opened.
  const isAdmin = useSession().isAdmin === true;
  const ledgerItem = (ledgerOf && catalogue.items.find(({ id }) => id === ledgerOf.id)) ?? null;
  return (
    <div className="admin-items">
      {isAdmin && (
        <>
          <Fold title="Page Field Visibility">
            <VisibilityPanel customFields={catalogue.definitions.filter(isCustomField)} />
          </Fold>
          <Fold title="Add New Item">
            <AddItemForm catalogue={catalogue} />
          </Fold>
          <Fold title="Game Updates">
            <Suspense fallback={<Skeleton className="h-40" />}>
              <UpdatesSection items={catalogue.items} />
            </Suspense>
          </Fold>
          <Fold title="Status Words">
            <Suspense fallback={<Skeleton className="h-40" />}>
              <StatusSection />
            </Suspense>
          </Fold>
        </>
      )}
      <section aria-label="All items" className="admin-items-list card">
        <ItemList catalogue={catalogue} onLedger={setLedgerOf}>
          {isAdmin && <ListFiles catalogue={catalogue} />}
        </ItemList>
        <LedgerDialog item={ledgerItem} canUndo={isAdmin} onClose={() => setLedgerOf(null)} />
      </section>
      {isAdmin && (
        <Fold title="Archive">
          <ArchiveSection />
        </Fold>
      )}
    </div>
  );
}

/** A collapsible card, initially collapsed on phones; this browser remembers its state. */
function Fold({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(() => {
    const stored = readKept("adminFolded", title);
    return stored === null ? matchMedia("(min-width: 48rem)").matches : stored === "open";
  });
  return (
    <details
      className="panel-fold card"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        writeKept("adminFolded", currentTarget.open ? "open" : "folded", title);
      }}
    >
      <summary>
        <h2>{title}</h2>
      </summary>
      <div className="px-4 pt-3 pb-4">{children}</div>
    </details>
  );
}

/** Exports the whole list as a file, and imports a file. */
function ListFiles({ catalogue }: { catalogue: Catalogue }) {
  const [isImporting, setImporting] = useState(false);
  function download() {
    const custom = catalogue.definitions.filter(isCustomField).map(({ name }) => name);
    const text = writeCsv(catalogue.items, catalogue.categories, custom);
    saveFile("items.csv", text, "text/csv");
  }
  return (
    <>
      <Button size="sm" onClick={() => setImporting(true)}>
        Import CSV
      </Button>
      <Button size="sm" onClick={download}>
        Export CSV
      </Button>
      <ImportDialog open={isImporting} onClose={() => setImporting(false)} catalogue={catalogue} />
    </>
  );
}

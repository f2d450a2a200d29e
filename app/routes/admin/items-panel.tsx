import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { PanelDisclosure } from "#app/features/admin/panel-disclosure.tsx";
import { AddItemForm } from "#app/features/admin-items/add-item-form.tsx";
import { ItemList } from "#app/features/admin-items/item-list.tsx";
import { LedgerDialog } from "#app/features/admin-items/ledger-dialog.tsx";
import { ListFiles } from "#app/features/admin-items/list-files.tsx";
import { useCatalogue } from "#app/features/admin-items/use-catalogue.ts";
import { VisibilityPanel } from "#app/features/admin-visibility/visibility-panel.tsx";
import type { Item } from "#app/features/items/item-queries.ts";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

/** Manage Items (2.admin.02 to .10): what pages show, a form for new items, and the catalogue. */
export function ItemsPanel() {
  const { catalogue, hasFailed, reload, put, drop } = useCatalogue();
  useReturn(reload);
  const [ledgerOf, setLedgerOf] = useState<Item | null>(null);
  if (!catalogue) return hasFailed ? <Failed onRetry={reload} /> : <Skeleton className="h-96" />;
  const custom = catalogue.definitions.filter(({ name }) => name.startsWith("custom_"));
  // As it is now, not as it was when its ledger was opened.
  const ledgerItem = (ledgerOf && catalogue.items.find(({ id }) => id === ledgerOf.id)) ?? null;
  return (
    <div className="admin-items">
      <PanelDisclosure title="Page Field Visibility">
        <VisibilityPanel customFields={custom} />
      </PanelDisclosure>
      <PanelDisclosure title="Add New Item">
        <AddItemForm catalogue={catalogue} onAdded={put} />
      </PanelDisclosure>
      <section aria-label="All items" className="admin-items-list card">
        <ItemList catalogue={catalogue} put={put} drop={drop} onLedger={setLedgerOf}>
          <ListFiles
            catalogue={catalogue}
            onChanged={(items, goneIds) => {
              put(...items);
              drop(...goneIds);
            }}
          />
        </ItemList>
        <LedgerDialog item={ledgerItem} onClose={() => setLedgerOf(null)} onChanged={put} />
      </section>
    </div>
  );
}

/** Categories and fields may have been changed in the tabs beside this one. */
function useReturn(reload: () => Promise<void>): void {
  const [search] = useSearchParams();
  const isElsewhere = search.has("tab");
  const wasElsewhere = useRef(isElsewhere);
  useEffect(() => {
    if (wasElsewhere.current && !isElsewhere) void reload();
    wasElsewhere.current = isElsewhere;
  }, [isElsewhere, reload]);
}

function Failed({ onRetry }: { onRetry(): Promise<void> }) {
  return (
    <EmptyState
      title="Items can't be loaded right now"
      action={
        <Button variant="primary" onClick={() => void onRetry()}>
          Try again
        </Button>
      }
    >
      The database does not answer. Nothing is lost.
    </EmptyState>
  );
}

import { useState } from "react";
import { saveFile } from "#app/features/profile/save-file.ts";
import type { Catalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { isCustomField } from "#app/routes/admin/shared/field-definitions.ts";
import { Button } from "#app/ui/button.tsx";
import { writeCsv } from "./csv.ts";
import { ImportDialog } from "./import-dialog.tsx";

/** The whole list as a file, and a file into the list. */
export function ListFiles({ catalogue }: { catalogue: Catalogue }) {
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

import { useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { saveFile } from "#app/features/profile/save-file.ts";
import { Button } from "#app/ui/button.tsx";
import { isCustomField } from "../admin/field-definitions.ts";
import { writeCsv } from "./csv.ts";
import { ImportDialog } from "./import-dialog.tsx";
import type { Catalogue } from "./use-catalogue.ts";

type ListFilesProps = {
  catalogue: Catalogue;
  onChanged(items: readonly Item[], goneIds: readonly string[]): void;
};

/** The whole list as a file, and a file into the list. */
export function ListFiles({ catalogue, onChanged }: ListFilesProps) {
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
      <ImportDialog
        open={isImporting}
        onClose={() => setImporting(false)}
        catalogue={catalogue}
        onChanged={onChanged}
      />
    </>
  );
}

import { type RefObject, useRef, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { labelOf } from "#app/routes/admin/shared/field-labels.ts";
import type { ItemWrite } from "#domain/items/item-import.ts";
import { describeChange, isLargeChange, LEDGERED } from "#domain/values/large-change.ts";

type ItemInput = Omit<ItemWrite, "image_url">;

/** Asks for confirmation before a form is saved that changes values by more than half. */
export function useLargeChanges(item: Item, form: RefObject<HTMLFormElement | null>) {
  const [asked, setAsked] = useState<string[] | null>(null);
  const isConfirmed = useRef(false);
  return {
    /** The changes in question; null while nothing is asked. */
    asked,
    accept(write: ItemInput): boolean {
      const large = isConfirmed.current ? [] : findLargeChanges(item, write);
      isConfirmed.current = false;
      if (large.length > 0) setAsked(large);
      return large.length === 0;
    },
    onConfirm() {
      setAsked(null);
      isConfirmed.current = true;
      form.current?.requestSubmit();
    },
    onClose: () => setAsked(null),
  };
}

function findLargeChanges(item: Item, write: ItemInput): string[] {
  return LEDGERED.filter((column) => isLargeChange(item[column], write[column])).map(
    (column) => `${labelOf(column)}: ${describeChange(item[column], write[column])}`,
  );
}

type LargeChangeDialogProps = Omit<ReturnType<typeof useLargeChanges>, "accept"> & {
  name: string;
  isBusy: boolean;
};

export function LargeChangeDialog({ asked, name, ...props }: LargeChangeDialogProps) {
  return (
    <ConfirmDialog
      {...props}
      open={asked !== null}
      title={`Change ${name} by more than half?`}
      confirm="Change it"
    >
      <ul className="figures">
        {asked?.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

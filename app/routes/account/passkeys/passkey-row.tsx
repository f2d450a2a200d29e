import type { PasskeyListItem } from "@supabase/supabase-js";
import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { formatDate } from "#domain/text/dates.ts";
import { Removal } from "../removal.tsx";
import { RenamePasskey } from "./rename-passkey.tsx";

type PasskeyRowProps = { passkey: PasskeyListItem; startsRenaming: boolean; onChanged: () => void };

/** One passkey: what it is called, since when, when it was used, and what can be done with it. */
export function PasskeyRow({ passkey, startsRenaming, onChanged }: PasskeyRowProps) {
  const [isRenaming, setRenaming] = useState(startsRenaming);
  // Until the list has been read anew.
  const [renamed, setRenamed] = useState<string | null>(null);
  const name = renamed ?? (passkey.friendly_name || "Passkey");
  if (isRenaming) {
    return (
      <li className="border-line border-b py-3">
        <RenamePasskey
          id={passkey.id}
          name={name}
          onRenamed={(chosen) => {
            setRenamed(chosen);
            setRenaming(false);
            onChanged();
          }}
          onCancel={() => setRenaming(false)}
        />
      </li>
    );
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2.5">
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="text-muted text-sm">
          Added <Day of={passkey.created_at} />
          {passkey.last_used_at ? (
            <>
              , last used <Day of={passkey.last_used_at} />
            </>
          ) : (
            ", never used"
          )}
        </p>
      </div>
      <div className="flex gap-1">
        <Button variant="ghost" size="sm" onClick={() => setRenaming(true)}>
          Rename<span className="sr-only"> {name}</span>
        </Button>
        <Removal
          name={name}
          remove={(client) => client.auth.passkey.delete({ passkeyId: passkey.id })}
          onRemoved={() => {
            showToast({ title: "Passkey removed" });
            onChanged();
          }}
        >
          It no longer works for signing in. Your device may keep offering it until you delete it there, too.
        </Removal>
      </div>
    </li>
  );
}

function Day({ of }: { of: string }) {
  return <time dateTime={of}>{formatDate(of)}</time>;
}

import { lazy, Suspense, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

// Few ever need it.
const DeleteAccountForm = lazy(async () => ({
  default: (await import("./delete-account-form.tsx")).DeleteAccountForm,
}));

/** The way out: what goes, and a dialog that asks once more. */
export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className="text-muted">
        Deleting your account removes your profile, picture, saved trades, ratings, chat messages, mutes and
        reports for good. Nobody can bring them back.
      </p>
      <Button variant="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Delete your account?">
        <Suspense fallback={<p className="text-muted">One moment …</p>}>
          <DeleteAccountForm onCancel={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}

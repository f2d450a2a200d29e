import { type ReactNode, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

type RemovalProps = {
  name: string;
  /** What follows from it, as sentences. */
  children: ReactNode;
  remove(client: SessionClient): PromiseLike<{ error: { message: string } | null }>;
  onRemoved(): void;
};

/** A button that asks once more before something that opens the account is taken away. */
export function Removal({ name, children, remove, onRemoved }: RemovalProps) {
  const [isAsking, setAsking] = useState(false);
  const { form, button } = useSubmit({
    read: () => ({ input: null }),
    send: (client) => remove(client),
    done() {
      setAsking(false);
      onRemoved();
    },
  });
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
        Remove<span className="sr-only"> {name}</span>
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`Remove “${name}”?`}>
        <form {...form} className="grid gap-5">
          <p>{children}</p>
          <div className="flex flex-wrap gap-3">
            <Button {...button} variant="danger">
              {button.disabled ? "Removing…" : "Yes, remove it"}
            </Button>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

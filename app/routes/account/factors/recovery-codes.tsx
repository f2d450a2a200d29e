import { useCallback, useEffect, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { countRecoveryCodes, makeRecoveryCodes } from "#app/features/session/recovery-codes.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { NewCodes } from "./new-codes.tsx";

/** Below so many, new ones are advised. */
const FEW = 3;

/** `off`: this backend has none. */
type Count = number | "reading" | "failed" | "off";

/** The codes that open the account when its second factor is lost: how many are left, and a new set, shown once. */
export function RecoveryCodes() {
  const site = useSiteConfig();
  const [count, setCount] = useState<Count>("reading");
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const read = useCallback(async () => {
    try {
      const { data, error } = await countRecoveryCodes(await openSession(site), site);
      setCount(data ?? (error?.code ? "off" : "failed"));
    } catch {
      setCount("failed");
    }
  }, [site]);
  useEffect(() => void read(), [read]);
  const { form, button, isBusy } = useSessionForm({
    send: (client) => makeRecoveryCodes(client, site),
    done({ data }) {
      setCodes(data);
      setCount(data?.length ?? 0);
    },
  });
  if (codes) return <NewCodes codes={codes} onEnd={() => setCodes(null)} />;
  if (count === "reading" || count === "off") return null;
  return (
    <div className="grid justify-items-start gap-3">
      <Status count={count} />
      <Form {...form}>
        <Button {...button} {...(count === 0 && { variant: "primary" })}>
          {isBusy ? "Making codes…" : count === 0 ? "Make recovery codes" : "Make new recovery codes"}
        </Button>
      </Form>
    </div>
  );
}

function Status({ count }: { count: number | "failed" }) {
  if (count === "failed") {
    return <p role="alert">Your recovery codes can’t be loaded right now. Please reload the page.</p>;
  }
  if (count === 0) {
    return (
      <p className="rounded-md border-focus border-l-4 bg-sunken px-4 py-3 text-sm">
        <strong>You have no recovery codes.</strong> Keep a set in a safe place. Each code gets you in once if
        you lose your second factor.
      </p>
    );
  }
  return (
    <p className="text-muted text-sm">
      {count === 1 ? "One recovery code is" : `${count} recovery codes are`} left
      {count < FEW ? ": make new ones soon." : "."} New ones replace them.
    </p>
  );
}

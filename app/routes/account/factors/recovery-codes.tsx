import { useState } from "react";
import { saveFile } from "#app/features/profile/save-file.ts";
import { SessionButton } from "#app/features/session/session-button.tsx";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { countRecoveryCodes, makeRecoveryCodes } from "#app/features/sign-in/recovery-codes.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { showError, showToast } from "#app/ui/toast/toast-store.ts";

/** Below this number, new ones are recommended. */
const FEW = 3;

/** The codes that open the account if its second factor is lost: how many are left, and a new set, shown once. */
export function RecoveryCodes() {
  const site = useSiteConfig();
  const [count, readAgain] = useOwnRead(async (client) => {
    const { data, error } = await countRecoveryCodes(client, site);
    return data ?? (error.code ? "off" : "failed");
  });
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <NewCodes codes={codes} onEnd={() => setCodes(null)} />;
  if (count === "reading" || count === "off") return null;
  return (
    <div className="grid justify-items-start gap-3">
      <Status count={count} />
      <SessionButton
        variant={count === 0 ? "primary" : undefined}
        busy="Making codes…"
        send={(client) => makeRecoveryCodes(client, site)}
        done={({ data }) => {
          setCodes(data);
          void readAgain();
        }}
      >
        {count === 0 ? "Make recovery codes" : "Make new recovery codes"}
      </SessionButton>
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

/** A new set, which cannot be shown again. */
function NewCodes({ codes, onEnd }: { codes: readonly string[]; onEnd: () => void }) {
  const { siteName } = useSiteConfig();
  const text = [`Recovery codes for ${siteName}. Each works once.`, "", ...codes, ""].join("\n");

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: "Codes copied", description: "Paste them where only you can read them." });
    } catch {
      showError("This browser doesn’t let the site copy text. Download the codes or write them down.");
    }
  }

  return (
    <section aria-label="New recovery codes" className="grid gap-4">
      <p>
        <strong>Save these codes now. They’re only shown once.</strong> Each one gets you in once if you lose
        your second factor. Don’t share them with anyone.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md bg-sunken px-4 py-3"
      >
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" onClick={() => saveFile("recovery-codes.txt", text, "text/plain")}>
          Download
        </Button>
        <Button onClick={copy}>Copy</Button>
        <Button variant="ghost" onClick={onEnd}>
          I’ve saved them
        </Button>
      </div>
    </section>
  );
}

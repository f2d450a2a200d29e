import { saveFile } from "#app/features/profile/save-file.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

type NewCodesProps = { codes: readonly string[]; onEnd: () => void };

/** A new set, which nobody can show again. */
export function NewCodes({ codes, onEnd }: NewCodesProps) {
  const { siteName } = useSiteConfig();
  const text = [`Recovery codes for ${siteName}. Each works once.`, "", ...codes, ""].join("\n");

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: "Codes copied", description: "Paste them where only you can read them." });
    } catch {
      const description =
        "This browser doesn’t let the site copy text. Download the codes or write them down.";
      showToast({ title: "Error", description, variant: "destructive" });
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

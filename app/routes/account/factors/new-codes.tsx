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
        "This browser doesn’t let the site copy. Please download the codes, or write them down.";
      showToast({ title: "Error", description, variant: "destructive" });
    }
  }

  return (
    <section aria-label="New recovery codes" className="grid gap-4">
      <p>
        <strong>Keep these codes now: they are shown only this once.</strong> Each opens your account once
        when your second factor is lost. Give them to nobody.
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
          I have kept them
        </Button>
      </div>
    </section>
  );
}

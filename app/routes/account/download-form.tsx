import { collectOwnData } from "#app/features/profile/own-data.ts";
import { saveFile } from "#app/features/profile/save-file.ts";
import { useSubmit } from "#app/features/session/use-submit.ts";
import { Button } from "#app/ui/button.tsx";

/** Everything that is stored about the person, as one JSON file, put together in the browser. */
export function DownloadForm() {
  const { form, button } = useSubmit({
    read: () => ({ input: null }),
    send: async (client) => ({ data: await collectOwnData(client), error: null }),
    done: ({ data }) => saveFile("my-data.json", JSON.stringify(data, null, 2), "application/json"),
  });
  return (
    <form {...form} className="grid gap-4">
      <p className="text-muted">
        Your account, sign-ins, profile, picture, saved trades, ratings, chat messages, mutes and reports, in
        one file.
      </p>
      <Button {...button} className="justify-self-start">
        {button.disabled ? "Collecting…" : "Download my data"}
      </Button>
    </form>
  );
}

import { saveFile } from "#app/features/profile/save-file.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { collectOwnData } from "./own-data.ts";

/** Everything that is stored about the person, as one JSON file, put together in the browser. */
export function DownloadForm() {
  const { form, button, isBusy } = useSessionForm({
    send: async (client) => ({ data: await collectOwnData(client), error: null }),
    done: ({ data }) => saveFile("my-data.json", JSON.stringify(data, null, 2), "application/json"),
  });
  return (
    <Form {...form} className="grid gap-4">
      <p className="text-muted">
        Your account, sign-ins, profile, picture, saved trades, ratings, chat messages, mutes and reports, in
        one file.
      </p>
      <Button {...button} className="justify-self-start">
        {isBusy ? "Collecting…" : "Download my data"}
      </Button>
    </Form>
  );
}

import * as v from "valibot";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { publicNameSchema, USERNAME_RULE } from "#domain/people/username.ts";

const schema = v.object({ name: publicNameSchema });

/** An editor's optional public name, shown with their changes (P150). */
export function PublicName() {
  const { session } = useSession();
  const userId = session?.user.id ?? "";
  const own = useRead(["editor_names", userId], (client) => readName(client, userId));
  return (
    <ReadState read={own} what="Your public name">
      {({ name }) => <NameForm key={name} userId={userId} name={name} />}
    </ReadState>
  );
}

function NameForm({ userId, name }: { userId: string; name: string | null }) {
  const refresh = useRefresh();
  const { isBusy, act } = useAct("editor_names");
  const { form, button } = useSessionForm({
    schema,
    send: (client, input) => saveName(client, userId, name, input.name),
    async done(_, input) {
      await refresh("editor_names");
      showToast({ title: "Public name saved", description: `Your changes are signed ${input.name}.` });
    },
  });

  const remove = () =>
    act(
      (client) => client.from("editor_names").delete().eq("user_id", userId).throwOnError(),
      "Public name removed",
      "Visitors read your role alone.",
    );

  return (
    <Form {...form} aria-label="Public name" className="grid justify-items-start gap-3">
      <p className="text-muted">
        {name === null
          ? "Visitors read only that an editor or admin made a change. With a public name they read it beside each change of yours, also the earlier ones."
          : "Visitors read this name beside each of your changes, also the earlier ones."}{" "}
        You can remove it at any time; then it is gone everywhere.
      </p>
      <TextField
        label="Public name"
        name="name"
        required
        defaultValue={name ?? ""}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={`${USERNAME_RULE}, of words that the site knows. Please don't use your real name.`}
      />
      <div className="flex flex-wrap gap-2">
        <Button {...button}>Save public name</Button>
        {name !== null && (
          <Button variant="ghost" disabled={isBusy} onClick={() => void remove()}>
            Remove it
          </Button>
        )}
      </div>
    </Form>
  );
}

/** @throws the service's error */
async function readName(client: SessionClient, userId: string): Promise<{ name: string | null }> {
  const { data } = await client
    .from("editor_names")
    .select("name")
    .eq("user_id", userId)
    .maybeSingle()
    .throwOnError();
  return { name: data?.name ?? null };
}

/** If two tabs save their first name, the second is refused like any name that is taken. */
async function saveName(client: SessionClient, userId: string, before: string | null, name: string) {
  const names = client.from("editor_names");
  const saving = before === null ? names.insert({ name }) : names.update({ name }).eq("user_id", userId);
  const taken = { field: "name", message: "This name is taken" };
  return requireRow(await saving.select("name").maybeSingle(), "name", taken);
}

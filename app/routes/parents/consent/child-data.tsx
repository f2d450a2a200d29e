import { useState } from "react";
import { saveFile } from "#app/features/profile/save-file.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";

type ChildDataProps = { linkKey: string; username: string; onDeleted: () => void };

/** Downloads all data as a file, or deletes everything. */
export function ChildData({ linkKey, username, onDeleted }: ChildDataProps) {
  const [isAsking, setAsking] = useState(false);
  const saving = useSessionForm({
    send: (client) => client.rpc("export_as_parent", { key: linkKey }),
    done: ({ data }) => saveFile(`${username}.json`, JSON.stringify(data, null, 2), "application/json"),
  });
  return (
    <>
      <p>The file contains the profile, saved trades, messages, ratings, reports and what moderators did.</p>
      <div className="flex flex-wrap gap-3">
        <Form {...saving.form}>
          <Button {...saving.button}>Download everything</Button>
        </Form>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete the account
        </Button>
      </div>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={`Delete the account of ${username}?`}>
        <DeletionForm {...{ linkKey, onDeleted }} onCancel={() => setAsking(false)} />
      </Dialog>
    </>
  );
}

function DeletionForm(props: Pick<ChildDataProps, "linkKey" | "onDeleted"> & { onCancel: () => void }) {
  const { form, button } = useSessionForm({
    send: (client) => client.rpc("delete_as_parent", { key: props.linkKey }),
    done: props.onDeleted,
  });
  return (
    <Form {...form} className="grid gap-4">
      <p>This deletes the account with its trades, messages and ratings, right away and for good.</p>
      <FormActions button={button} label="Delete everything" variant="danger" onCancel={props.onCancel} />
    </Form>
  );
}

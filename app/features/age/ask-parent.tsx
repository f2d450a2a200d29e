import { Link } from "react-router";
import * as v from "valibot";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { formatDate } from "#domain/text/dates.ts";
import { askParent, type OwnStanding } from "./standing-queries.ts";

const parentSchema = v.object({
  parent: v.pipe(v.string(), v.trim(), v.email("Please enter an email address")),
});

type AskParentProps = { own: OwnStanding; onAsked: () => void; onClose: () => void };

/** What is there without a parent's permission, and how to ask for it. */
export function AskParent({ own, onAsked, onClose }: AskParentProps) {
  const { form, button, isBusy } = useSessionForm({
    schema: parentSchema,
    send: (client, { parent }) => askParent(client, parent),
    done: onAsked,
  });
  return (
    <div className="grid gap-4">
      <p>
        You can read the chat and use quick talk, rate traders with stars, and use everything else here. A
        parent can allow you to write short messages.
      </p>
      <p role="status">{describeParent(own)}</p>
      <Form {...form} className="grid gap-4">
        <TextField
          label="A parent’s email"
          name="parent"
          type="email"
          autoComplete="off"
          required
          hint="We send one email that explains everything, and use the address only for this."
        />
        <p className="text-muted text-sm">
          What your parent can read:{" "}
          <Link to="/parents" className="link">
            For Parents
          </Link>
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>Close</Button>
          <Button {...button} variant="primary">
            {isBusy ? "Sending…" : own.parent === "asked" ? "Ask again" : "Ask a parent"}
          </Button>
        </div>
      </Form>
    </div>
  );
}

function describeParent({ parent, askedAt }: OwnStanding): string {
  if (parent === "asked" && askedAt)
    return `We wrote to your parent on ${formatDate(askedAt)}. Their answer will show here.`;
  if (parent === "refused") return "Your parent said no for now. Talk with them before you ask again.";
  if (parent === "withdrawn")
    return "Your parent took the permission back. Talk with them before you ask again.";
  return "";
}

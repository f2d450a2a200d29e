import { Link } from "react-router";
import * as v from "valibot";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { formatDate } from "#domain/text/dates.ts";
import type { OwnStanding } from "./standing-queries.ts";

const parentSchema = v.object({
  parent: v.pipe(v.string(), v.trim(), v.email("Please enter an email address")),
});

/** What is available without a parent's permission, and how to ask for it where the site sends mail. */
export function ChildPanel(props: AskParentProps) {
  const { asksParents } = useSiteConfig();
  return (
    <div className="grid gap-4">
      <p>
        You can read the chat and use quick talk, rate traders with stars, and use everything else here.{" "}
        {asksParents
          ? "A parent can allow you to write short messages."
          : "Writing your own messages needs a parent’s permission, and this site can’t ask for it yet: it sends no email."}
      </p>
      {asksParents ? (
        <AskParent {...props} />
      ) : (
        <Button className="justify-self-end" onClick={props.onClose}>
          Close
        </Button>
      )}
    </div>
  );
}

type AskParentProps = { own: OwnStanding; onAsked: () => void; onClose: () => void };

function AskParent({ own, onAsked, onClose }: AskParentProps) {
  const { form, button, isBusy } = useSessionForm({
    schema: parentSchema,
    send: (client, { parent }) => client.rpc("ask_parent", { email: parent }),
    done: onAsked,
  });
  return (
    <>
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
        <FormActions
          button={button}
          label={isBusy ? "Sending…" : own.parent === "asked" ? "Ask again" : "Ask a parent"}
          onCancel={onClose}
          cancel="Close"
        />
      </Form>
    </>
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

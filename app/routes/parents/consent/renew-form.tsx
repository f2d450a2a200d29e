import { useState } from "react";
import * as v from "valibot";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { focusNow } from "#app/ui/form/focus-now.ts";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { mailAddress } from "#domain/people/mail-address.ts";

const schema = v.object({ email: mailAddress("Please enter an email address") });

/** For an expired link: sends a new one to the same address. */
export default function RenewForm() {
  const [isSent, setSent] = useState(false);
  const { form, button } = useSessionForm({
    schema,
    send: (client, { email }) => client.rpc("renew_parent_link", { email }),
    done: () => setSent(true),
  });
  return (
    <Card as="section" className="grid gap-4">
      <p>
        To open this page, use the link in our email. It works for 7 days. If yours has expired, enter the
        address we sent it to.
      </p>
      {isSent ? (
        <p ref={focusNow} role="status" tabIndex={-1}>
          If we know this address as a parent’s, a new link is on its way. We send at most three a day.
        </p>
      ) : (
        <Form {...form} className="grid gap-4">
          <TextField label="Your email" name="email" type="email" autoComplete="email" required />
          <Button {...button} variant="primary" className="justify-self-start">
            Send a new link
          </Button>
        </Form>
      )}
    </Card>
  );
}

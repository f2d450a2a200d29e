import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import type { Child } from "./parent-queries.ts";

type DecisionFormProps = { linkKey: string; child: Child; onDone: () => void };

/** What a parent agrees to, in the words of the page for parents, and the buttons to decide. */
export function DecisionForm({ linkKey, child, onDone }: DecisionFormProps) {
  const allow = useDecision({ linkKey, decision: "allow", notice: "Thank you. You allowed it.", onDone });
  const refuse = useDecision({ linkKey, decision: "refuse", notice: "Thank you. Nothing changes.", onDone });
  const withdraw = useDecision({
    linkKey,
    decision: "withdraw",
    notice: "You took the permission back.",
    onDone,
  });
  const { takesUploads } = useSiteConfig();
  if (child.state === "allowed")
    return (
      <Form {...withdraw.form} className="grid justify-items-start gap-3">
        <p>After that, the child can only use ready-made phrases again and is no longer listed.</p>
        <Button {...withdraw.button}>Take the permission back</Button>
      </Form>
    );
  if (child.state !== "asked") return null;
  return (
    <div className="grid gap-4">
      <p>If you are a parent or guardian of this child and allow it, the child may:</p>
      <ul className="list-disc pl-5">
        <li>write messages in the public chat, each checked before anybody sees it,</li>
        <li>write comments with ratings, and choose a username,</li>
        <li>
          be listed among the traders, if they switch it on
          {takesUploads ? ", and upload a picture, which a moderator looks at first." : "."}
        </li>
      </ul>
      <p>You can take your permission back at any time.</p>
      <div className="flex flex-wrap gap-3">
        <Form {...allow.form}>
          <Button {...allow.button} variant="primary">
            I am a parent, and I allow it
          </Button>
        </Form>
        <Form {...refuse.form}>
          <Button {...refuse.button}>No</Button>
        </Form>
      </div>
    </div>
  );
}

type Decision = {
  linkKey: string;
  decision: "allow" | "refuse" | "withdraw";
  notice: string;
  onDone: () => void;
};

function useDecision({ linkKey, decision, notice, onDone }: Decision) {
  return useSessionForm({
    send: (client) => client.rpc("decide_as_parent", { key: linkKey, decision }),
    done() {
      showToast({ title: notice });
      onDone();
    },
  });
}

import { useState } from "react";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { formatDate } from "#domain/text/dates.ts";
import { ChildData } from "./child-data.tsx";
import { DecisionForm } from "./decision-form.tsx";
import { type Child, readChild } from "./parent-queries.ts";
import RenewForm from "./renew-form.tsx";

/** Whom the link is about, the question, and the parent's other options. */
export default function LinkedChild({ linkKey }: { linkKey: string }) {
  const [child, readAgain] = useOwnRead((client) => readChild(client, linkKey));
  const [isDeleted, setDeleted] = useState(false);
  if (isDeleted) return <p role="status">The account and everything we kept about it are deleted.</p>;
  if (child === "reading") return <Skeleton className="h-64" />;
  if (child === "failed") return <ErrorState title="This page can't be loaded right now" />;
  if (child === null) return <RenewForm />;
  return (
    <>
      <Card as="section" className="grid gap-4">
        <CardTitle>{child.username}</CardTitle>
        <p role="status">{describeState(child)}</p>
        <DecisionForm linkKey={linkKey} child={child} onDone={() => void readAgain()} />
      </Card>
      <Card as="section" className="grid gap-4">
        <CardTitle>What we keep about this child</CardTitle>
        <ChildData linkKey={linkKey} username={child.username} onDeleted={() => setDeleted(true)} />
      </Card>
    </>
  );
}

function describeState({ state, changed_at, username }: Child): string {
  const day = formatDate(changed_at);
  switch (state) {
    case "asked":
      return `A child who goes by ${username} here asked on ${day} to be allowed to write to others.`;
    case "allowed":
      return `You allowed ${username} to write to others on ${day}.`;
    case "refused":
      return `You said no on ${day}. ${username} uses ready-made phrases, and your address is deleted.`;
    case "withdrawn":
      return `You took the permission back on ${day}. ${username} uses ready-made phrases, and your address is deleted.`;
  }
}

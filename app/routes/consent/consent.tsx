import { ProofDialog } from "#app/features/proof/proof-dialog.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { Question } from "./question.tsx";
import { type Fault, useRequest } from "./use-request.ts";

/** The question of an application, or why there is none. */
export function Consent({ search }: { search: string }) {
  const state = useRequest(search);
  if (state.step === "reading") {
    return (
      <div role="status" aria-label="Loading the application’s request">
        <Skeleton className="h-40" />
      </div>
    );
  }
  if (state.step === "leaving") return <p role="status">You allowed this before. Taking you back…</p>;
  if (state.step === "failed") return <Failure fault={state.fault} />;
  return (
    <>
      <ProofDialog why="An application keeps its access, so please confirm that it’s you." />
      <Question details={state.details} />
    </>
  );
}

const SENTENCES: Record<Exclude<Fault, "unreadable">, string> = {
  over: "This request has expired, or it’s for another account. Go back to the application and start again.",
  answered:
    "This request was already answered. Go back to the application. If it doesn’t know you yet, start again there.",
  off: "Applications can’t get access here right now.",
  wrong:
    "The application sent you here with a request that we don’t understand, so it got no access. Please tell the people who run it.",
};

function Failure({ fault }: { fault: Fault }) {
  if (fault === "unreadable") return <ErrorState title="The request can’t be loaded right now" />;
  return (
    <>
      <p role="alert">{SENTENCES[fault]}</p>
      <div>
        <LinkButton to="/">Go to the home page</LinkButton>
      </div>
    </>
  );
}

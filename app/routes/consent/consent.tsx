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
      <div role="status" aria-label="Reading what the application asks">
        <Skeleton className="h-40" />
      </div>
    );
  }
  if (state.step === "leaving") return <p role="status">You allowed this before. Taking you back …</p>;
  if (state.step === "failed") return <Failure fault={state.fault} />;
  return (
    <>
      <ProofDialog why="Whoever you let in stays in, so please show once more that this is your account." />
      <Question details={state.details} />
    </>
  );
}

const SENTENCES: Record<Exclude<Fault, "unreadable">, string> = {
  over: "This request is over: it was not answered in time, or it is for another account. Go back to the application and start again.",
  answered:
    "This request was answered already. Go back to the application; if it does not know you yet, start again there.",
  off: "No applications are let in here at the moment.",
  wrong:
    "The application sent you here with a request that makes no sense to us. Nothing was let in. Tell those who run the application.",
};

function Failure({ fault }: { fault: Fault }) {
  if (fault === "unreadable") return <ErrorState title="The request can’t be read right now" />;
  return (
    <>
      <p role="alert">{SENTENCES[fault]}</p>
      <div>
        <LinkButton to="/">Go to the home page</LinkButton>
      </div>
    </>
  );
}

import { ageQuestion } from "#app/features/session/ask-for-age.ts";
import { useQuestion } from "#app/features/session/question.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { AgeForm } from "./age-form.tsx";
import { ChildPanel } from "./ask-parent.tsx";
import { useStanding } from "./use-standing.ts";

type AgeDialogProps = {
  /** Called when the answer may have changed. */
  onAnswered?: () => void;
};

/**
 * Asks for the age group the first time someone uses chat or community, once per page; then for a parent's permission
 * if required.
 */
export function AgeDialog({ onAnswered }: AgeDialogProps) {
  const [isOpen, answer] = useQuestion(ageQuestion);

  function end(mayGoOn: boolean): void {
    answer(mayGoOn);
    onAnswered?.();
  }

  return (
    <Dialog open={isOpen} onClose={() => end(false)} title="Before you talk to others">
      {isOpen && <Steps onEnd={end} />}
    </Dialog>
  );
}

function Steps({ onEnd }: { onEnd: (mayGoOn: boolean) => void }) {
  const { own, refresh } = useStanding();

  async function proceed() {
    const now = await refresh();
    if (now !== "failed" && now.standing !== "child") onEnd(true);
  }

  if (!own) return <Skeleton className="h-64" />;
  if (own.standing === "unasked")
    return <AgeForm onDone={() => void proceed()} onCancel={() => onEnd(false)} />;
  if (own.standing === "child")
    return <ChildPanel own={own} onAsked={() => void refresh()} onClose={() => onEnd(false)} />;
  return <p>You can go on.</p>;
}

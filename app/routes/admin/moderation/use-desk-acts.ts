import { useCallback, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useActsInTurn } from "#app/routes/admin/shared/use-act.ts";
import { showError, showToast } from "#app/ui/toast/toast-store.ts";
import type { Choice } from "./case-card.tsx";
import { resolveReports } from "./case-queries.ts";
import { type Case, type CasePerson, reportIdsOf } from "./cases.ts";
import type { Asked } from "./sanction-dialog.tsx";
import { askSecondOpinion, deleteNote, liftSanction, type Sanction } from "./sanction-queries.ts";

type Undoable = { what: string; undo(client: SessionClient): Promise<void> };

/** A moderator's actions: what is confirmed first, what happens at once, and how the last one is undone. */
export function useDeskActs() {
  const { isBusy, act, once } = useActsInTurn("reports", "sanctions", "appeals");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [noting, setNoting] = useState<CasePerson | null>(null);
  const [aging, setAging] = useState<CasePerson | null>(null);
  const [last, setLast] = useState<Undoable | null>(null);

  const choose = useCallback(
    (choice: Choice, of: Case) => {
      async function resolve(isResolved: boolean) {
        const ids = reportIdsOf(of);
        const what = isResolved ? "Dismissed" : "Opened again";
        if (await act((client) => resolveReports(client, ids, isResolved), what))
          setLast({ what: what.toLowerCase(), undo: (client) => resolveReports(client, ids, !isResolved) });
      }

      const wantOpinion = () =>
        act(
          (client) => askSecondOpinion(client, of.person.id),
          "Second opinion requested",
          "Another moderator will close this case. You can still act on it.",
        );

      const { id } = of.person;
      if (choice === "dismiss" || choice === "reopen") void once(id, () => resolve(choice === "dismiss"));
      else if (choice === "opinion") void once(id, wantOpinion);
      else if (choice === "note") setNoting(of.person);
      else if (choice === "age") setAging(of.person);
      else setAsked({ kind: choice, of });
    },
    [act, once],
  );

  const lift = useCallback(
    ({ id }: Sanction) =>
      void act((client) => liftSanction(client, id), "Taken back", "It no longer counts as a strike."),
    [act],
  );

  const dropNote = useCallback(
    (id: string) => void act((client) => deleteNote(client, id), "Note deleted"),
    [act],
  );

  async function undo() {
    // Meanwhile, a sanction may have become the last one.
    if (last && (await act(last.undo, "Taken back"))) setLast((now) => (now === last ? null : now));
  }

  return {
    isBusy,
    asked,
    noting,
    aging,
    last,
    choose,
    lift,
    deleteNote: dropNote,
    undo: () => void undo(),
    /** Remembers how the latest sanction is undone, and shows a notice. */
    remember(what: string, sanctionId: string, isAsSent: boolean) {
      setLast({ what: what.toLowerCase(), undo: (client) => liftSanction(client, sanctionId) });
      if (isAsSent) showToast({ title: what, description: "They’re told why. Undo takes it back." });
      else showError("The first attempt was stored, as it was then. Undo it to change it.");
    },
    close() {
      setAsked(null);
      setNoting(null);
      setAging(null);
    },
  };
}

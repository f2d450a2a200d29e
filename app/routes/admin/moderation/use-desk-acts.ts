import { useCallback, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useActsInTurn } from "#app/routes/admin/shared/use-act.ts";
import { showError, showToast } from "#app/ui/toast/toast-store.ts";
import type { Choice } from "./case-card.tsx";
import { resolveReports } from "./case-queries.ts";
import { type Case, type CasePerson, reportIdsOf } from "./cases.ts";
import type { Asked } from "./sanction-dialog.tsx";
import { askSecondOpinion, deleteNote, liftSanction, type Sanction } from "./sanction-queries.ts";

type Undoable = {
  what: string;
  undo(client: SessionClient): Promise<void>;
  /** Whether there is something to undo, once that is known. */
  isDone: Promise<boolean>;
};

/** A moderator's actions: what is confirmed first, what happens at once, and how the last one is undone. */
export function useDeskActs() {
  const { act, once } = useActsInTurn("reports", "sanctions", "appeals");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [noting, setNoting] = useState<CasePerson | null>(null);
  const [aging, setAging] = useState<CasePerson | null>(null);
  // The last one, and the one before it in case that fails.
  const [undoable, setUndoable] = useState<readonly Undoable[]>([]);
  const last = undoable.at(-1);
  const offerUndo = useCallback((done: Undoable) => setUndoable((now) => [...now.slice(-1), done]), []);

  const choose = useCallback(
    (choice: Choice, of: Case) => {
      async function resolve(isResolved: boolean) {
        const ids = reportIdsOf(of);
        const what = isResolved ? "Dismissed" : "Opened again";
        const isDone = act((client) => resolveReports(client, ids, isResolved), what);
        const undo = (client: SessionClient) => resolveReports(client, ids, !isResolved);
        const done = { what: what.toLowerCase(), undo, isDone };
        // At once: a key pressed while it runs, or while the lists are read again, undoes it and nothing earlier.
        offerUndo(done);
        if (!(await isDone)) setUndoable((now) => now.filter((each) => each !== done));
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
    [act, once, offerUndo],
  );

  const lift = useCallback(
    ({ id }: Sanction) =>
      void once(id, () =>
        act((client) => liftSanction(client, id), "Taken back", "It no longer counts as a strike."),
      ),
    [act, once],
  );

  const dropNote = useCallback(
    (id: string) => void once(id, () => act((client) => deleteNote(client, id), "Note deleted")),
    [act, once],
  );

  async function undo() {
    if (!last) return;
    setUndoable([]);
    if (!(await last.isDone)) return;
    const attempt = (client: SessionClient) =>
      last.undo(client).catch((error) => {
        // At once, while the lists are read again. Meanwhile, something else may have become the last one.
        setUndoable((now) => [last, ...now].slice(-2));
        throw error;
      });
    await act(attempt, "Taken back");
  }

  return {
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
      const undo = (client: SessionClient) => liftSanction(client, sanctionId);
      offerUndo({ what: what.toLowerCase(), undo, isDone: Promise.resolve(true) });
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

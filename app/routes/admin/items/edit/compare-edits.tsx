import { type ReactNode, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { type EditDifference, mergeEdits } from "#domain/items/merge-edits.ts";
import type { FormTexts } from "./item-texts.ts";

type CompareEditsProps = {
  name: string;
  differences: readonly EditDifference[];
  labelOf(field: string): string;
  showValue(field: string, value: unknown): ReactNode;
  theirs: FormTexts;
  onTake(merged: FormTexts): void;
};

/** Shows, field by field, what was saved elsewhere meanwhile. Where both sides changed a field, the user chooses. */
export function CompareEdits({ name, differences, labelOf, showValue, theirs, onTake }: CompareEditsProps) {
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set());
  function choose(field: string, isMine: boolean) {
    const next = new Set(mine);
    if (isMine) next.add(field);
    else next.delete(field);
    setMine(next);
  }
  return (
    <div role="alert" className="item-compare">
      <p className="font-semibold">
        {name} was saved in the meantime, by another admin or in another window.
      </p>
      <p className="text-muted text-sm">
        Nothing has been overwritten. Choose what to keep, then go on editing and save.
      </p>
      <div className="overflow-x-auto">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">Theirs</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, base, mine: own, theirs: their, isClash }) => {
              const isMine = isClash ? mine.has(field) : base === their;
              return (
                <tr key={field}>
                  <th scope="row">{labelOf(field)}</th>
                  <td>{showValue(field, base)}</td>
                  {[false, true].map((ofMine) => (
                    <td key={String(ofMine)} className={isMine === ofMine ? "font-bold" : "text-muted"}>
                      <Side
                        field={field}
                        text={showValue(field, ofMine ? own : their)}
                        isChosen={isMine === ofMine}
                        isFixed={!isClash}
                        onChoose={() => choose(field, ofMine)}
                      />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Button
        size="sm"
        variant="primary"
        onClick={() => onTake(mergeEdits(differences, theirs, mine) as FormTexts)}
      >
        Continue with this choice
      </Button>
    </div>
  );
}

type SideProps = { field: string; text: ReactNode; isChosen: boolean; isFixed: boolean; onChoose(): void };

/** One of the two values; nothing can be chosen if only one of the two admins changed it. */
function Side({ field, text, isChosen, isFixed, onChoose }: SideProps) {
  if (isFixed) {
    return (
      <>
        {text}
        {isChosen && <span className="sr-only"> (kept)</span>}
      </>
    );
  }
  return (
    <label>
      <input type="radio" name={`choice-${field}`} checked={isChosen} onChange={onChoose} />
      {text}
    </label>
  );
}

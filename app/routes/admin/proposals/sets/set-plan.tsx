import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/text-field.tsx";

type SetPlanProps = {
  plannedFor: string | null;
  isBusy: boolean;
  /** A moment in the form of ISO 8601; null takes the plan back. */
  onPlan(at: string | null): void;
};

/** When a set is published by itself, in this person's own time. */
export function SetPlan({ plannedFor, isBusy, onPlan }: SetPlanProps) {
  const [text, setText] = useState("");
  if (plannedFor)
    return (
      <div>
        <Button size="sm" disabled={isBusy} onClick={() => onPlan(null)}>
          Take the plan back
        </Button>
      </div>
    );
  return (
    <div className="set-new">
      <TextField
        label="Publish at"
        type="datetime-local"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button disabled={isBusy || !text} onClick={() => onPlan(new Date(text).toISOString())}>
        Plan
      </Button>
    </div>
  );
}

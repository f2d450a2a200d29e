import { Button } from "#app/ui/button.tsx";

/** The button is in the strip, outside of its form. */
export const SAVE_FORM_ID = "save-trade";

export type SaveState = {
  isBusy: boolean;
  /** Whether this trade is in the history already. */
  isSaved: boolean;
};

/** Save Trade (2.calc.18), once its form is rendered. */
export function SaveButton({ isBusy, isSaved }: SaveState) {
  return (
    <Button type="submit" form={SAVE_FORM_ID} variant="primary" aria-disabled={isBusy}>
      <span>
        Save<span className="wide"> Trade</span>
        {isSaved && " again"}
      </span>
    </Button>
  );
}

import { classNames } from "#app/ui/class-names.ts";

type OwnAppealProps = {
  message: string;
  /** Null until a moderator answers. */
  granted: boolean | null;
  answer: string | null;
  /** The text shown until then. */
  waiting: string;
  className?: string;
};

/** The user's appeal against a sanction, and its outcome. */
export function OwnAppeal({ message, granted, answer, waiting, className }: OwnAppealProps) {
  return (
    <div className={classNames("wrap-anywhere", className)}>
      <p>You wrote: {message}</p>
      <p className="font-semibold">
        {granted === null ? waiting : granted ? "Your appeal was granted." : "Your appeal was refused."}
        {answer && ` ${answer}`}
      </p>
    </div>
  );
}

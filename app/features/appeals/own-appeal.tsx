import { classNames } from "#app/ui/class-names.ts";

type OwnAppealProps = {
  message: string;
  /** Null until a moderator answers. */
  granted: boolean | null;
  answer: string | null;
  /** What is said until then. */
  waiting: string;
  className?: string;
};

/** What somebody said against a sanction, and what became of it. */
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

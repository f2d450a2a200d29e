import { changeSession, type SessionState } from "#app/features/session/session-store.ts";
import { Button } from "#app/ui/button.tsx";

type LinkNoticeProps = { notice: NonNullable<SessionState["linkNotice"]>; isSignedIn: boolean };

/** What a mailed link had to say; who is signed in reads it here before going home. */
export function LinkNotice({ notice, isSignedIn }: LinkNoticeProps) {
  return (
    <div className="grid gap-4">
      <p
        role={notice.isProblem ? "alert" : "status"}
        className={`rounded-md border-l-4 bg-sunken px-4 py-3 ${notice.isProblem ? "border-danger" : "border-focus"}`}
      >
        {notice.text}
      </p>
      {isSignedIn && (
        <Button variant="primary" onClick={() => changeSession({ linkNotice: null })}>
          Continue
        </Button>
      )}
    </div>
  );
}

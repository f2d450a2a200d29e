import { useReportDialog } from "#app/features/reports/use-report-dialog.tsx";
import { useSession } from "#app/features/session/use-session.ts";
import { Button } from "#app/ui/button.tsx";

type ReportTraderProps = { trader: { id: string; username: string; avatar_url: string | null } };

/** Where the name and the picture of somebody else are reported. */
export function ReportTrader({ trader: { id, username, avatar_url } }: ReportTraderProps) {
  const { session } = useSession();
  const { dialog, report } = useReportDialog();
  if (!session || session.user.id === id) return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-haspopup="dialog"
        onClick={() => report({ kind: "name", subjectId: id, text: username })}
      >
        Report name
      </Button>
      {avatar_url && (
        <Button
          size="sm"
          variant="ghost"
          aria-haspopup="dialog"
          onClick={() => report({ kind: "picture", subjectId: id, text: null })}
        >
          Report picture
        </Button>
      )}
      {dialog}
    </>
  );
}

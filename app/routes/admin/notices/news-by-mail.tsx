import { useRead } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { CheckboxField } from "#app/ui/checkbox-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { readOwnMails, saveOwnMails } from "./notice-queries.ts";

/** Whether one hears of the news by mail, too: off unless one asks for it (P153). */
export function NewsByMail() {
  const { session } = useSession();
  const userId = session?.user.id ?? "";
  const own = useRead(["notice_mails", userId], (client) => readOwnMails(client, userId));
  const { isBusy, act } = useAct("notice_mails");

  async function save(isOn: boolean) {
    const isSaved = await act((client) => saveOwnMails(client, userId, isOn));
    if (isSaved) showToast({ title: isOn ? "News come by mail" : "No news by mail any more" });
  }

  return (
    <ReadState read={own} what="Your choice of mails">
      {({ isOn }) => (
        <CheckboxField
          label="Mail me the news"
          hint={`To ${session?.user.email ?? "your address"}, several in one mail, at most one mail in six hours.`}
          checked={isOn}
          disabled={isBusy}
          onChange={(event) => void save(event.target.checked)}
        />
      )}
    </ReadState>
  );
}

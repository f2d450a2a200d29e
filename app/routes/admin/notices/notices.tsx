import { useState } from "react";
import { Link } from "react-router";
import { useRead } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Disclosure } from "#app/ui/disclosure.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { describeNotice } from "#domain/notices/describe-notice.ts";
import { readNotices, readOwnMails, saveOwnMails } from "./notice-queries.ts";

const DAY = 24 * 60 * 60 * 1000;

/** This user's news, collapsed; the number from the last 24 hours stays visible (P142). */
export function Notices() {
  const [isOpen, setOpen] = useState(false);
  const notices = useRead(["editor_notices"], readNotices);
  const fresh = notices.data?.filter(({ created_at }) => Date.parse(created_at) > Date.now() - DAY).length;
  return (
    <Disclosure
      question={fresh ? `News (${fresh} in 24 hours)` : "News"}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      {isOpen && (
        <ReadState read={notices} what="News">
          {(rows) => (
            <RowList
              rows={rows}
              empty="No news in 30 days. What waits, large changes, old checks and reports appear here."
              className="grid gap-2"
              label="News"
            >
              {(row) => <NoticeLine key={row.id} {...row} />}
            </RowList>
          )}
        </ReadState>
      )}
      {isOpen && <NewsByMail />}
    </Disclosure>
  );
}

type NoticeLineProps = Awaited<ReturnType<typeof readNotices>>[number];

function NoticeLine({ created_at, ...notice }: NoticeLineProps) {
  const { text, tab } = describeNotice(notice);
  return (
    <li className="break-words">
      {tab ? (
        <Link to={{ search: `?tab=${tab}` }} replace preventScrollReset className="link">
          {text}
        </Link>
      ) : (
        text
      )}{" "}
      <span className="text-muted text-sm">
        <Moment at={created_at} />
      </span>
    </li>
  );
}

/** Whether one receives the news by email, too: off by default (P153). */
function NewsByMail() {
  const { session } = useSession();
  const userId = session?.user.id ?? "";
  const own = useRead(["notice_mails", userId], (client) => readOwnMails(client, userId));
  const { isBusy, act } = useAct("notice_mails");

  const save = (isOn: boolean) =>
    act(
      (client) => saveOwnMails(client, userId, isOn),
      isOn ? "News comes by email" : "No more news by email",
    );

  return (
    <ReadState read={own} what="Your choice of emails">
      {({ isOn }) => (
        <CheckboxField
          label="Email me the news"
          hint={`To ${session?.user.email ?? "your address"}: several in one email, at most one email every six hours.`}
          checked={isOn}
          disabled={isBusy}
          onChange={(event) => void save(event.target.checked)}
        />
      )}
    </ReadState>
  );
}

import { useState } from "react";
import { Link } from "react-router";
import { useRead } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Disclosure } from "#app/ui/disclosure.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { describeNotice } from "#domain/notices/describe-notice.ts";

const DAY = 24 * 60 * 60 * 1000;

/** This user's news, collapsed; the number from the last 24 hours stays visible (P142). */
export function Notices() {
  const [isOpen, setOpen] = useState(false);
  const notices = useRead(["editor_notices"], readNotices);
  const fresh = notices.data?.filter(({ created_at }) => Date.parse(created_at) > siteNow() - DAY).length;
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

function NoticeLine({ created_at, ...notice }: Awaited<ReturnType<typeof readNotices>>[number]) {
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
      <Moment at={created_at} className="text-muted text-sm" />
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

const SHOWN = 30;

/** The latest news for this user, newest first. @throws the service's error */
async function readNotices(client: SessionClient) {
  const { data } = await client
    .from("editor_notices")
    .select("id, kind, count, items, created_at")
    .order("id", { ascending: false })
    .limit(SHOWN)
    .throwOnError();
  return data;
}

/** @throws the service's error */
async function readOwnMails(client: SessionClient, userId: string): Promise<{ isOn: boolean }> {
  const { data } = await client
    .from("notice_mails")
    .select("user_id")
    .eq("user_id", userId)
    .maybeSingle()
    .throwOnError();
  return { isOn: data !== null };
}

/** Turns news by email on or off. @throws the service's error */
async function saveOwnMails(client: SessionClient, userId: string, isOn: boolean): Promise<void> {
  const mails = client.from("notice_mails");
  if (!isOn) return void (await mails.delete().eq("user_id", userId).throwOnError());
  const { error } = await mails.insert({ user_id: userId });
  // Another tab turned it on already.
  if (error && error.code !== "23505") throw error;
}

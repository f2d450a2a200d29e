import { useEffect } from "react";
import { tellTableNews, useTableNews } from "../admin/table-news.ts";
import { useAdminRead } from "../admin/use-admin-read.ts";
import { countOpenReports } from "./report-queries.ts";

/** How long a report may wait unseen where the live connection is down, in milliseconds. */
const LOOK_EVERY = 30_000;

/** How many reports wait for an admin: live, and asked for at times where the live connection is down. */
export function useOpenReportCount(): number | undefined {
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && tellTableNews("chat_reports");
    const timer = setInterval(look, LOOK_EVERY);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return useAdminRead(countOpenReports, useTableNews("chat_reports")).data;
}

import { env } from "node:process";
import { createClient } from "@supabase/supabase-js";
import type { Database } from "../../database.types.ts";
import { composeMail } from "./compose-mail.ts";

const AT_A_TIME = 20;
/** What waited for longer, such as all that was stored before mails were wanted, is no news. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

/**
 * Hands contact messages that are stored and were not mailed yet to the operator's mail queue, the oldest first; answers
 * how many. It takes nothing from its caller: who may write a message, how many, and to whom the mails go is the
 * database's decision (P20).
 */
export default {
  async fetch(): Promise<Response> {
    const { SUPABASE_URL = "", SUPABASE_SERVICE_ROLE_KEY = "" } = env;
    const supabase = createClient<Database>(SUPABASE_URL, SUPABASE_SERVICE_ROLE_KEY);
    const { data: messages } = await supabase
      .from("contact_messages")
      .select("id, name, email, subject, message, created_at")
      .is("mailed_at", null)
      .gt("created_at", new Date(Date.now() - LONGEST_WAIT_MS).toISOString())
      .order("created_at")
      .limit(AT_A_TIME)
      .throwOnError();
    let mailed = 0;
    for (const message of messages) {
      const { subject, text, html } = composeMail(message);
      const { data: isMailed } = await supabase
        .rpc("mail_contact_message", {
          message_id: message.id,
          subject,
          body_text: text,
          body_html: html,
        })
        .throwOnError();
      if (isMailed) mailed++;
    }
    return Response.json({ mailed });
  },
};

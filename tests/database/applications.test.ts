import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, openAuth } from "#tests/helpers/auth/auth-server.ts";
import { joinPerson, letIn, registerApplication } from "#tests/helpers/oauth/applications.ts";

let testServer: AuthTestServer;
beforeAll(async () => {
  testServer = await openAuth({ oauthServer: true });
});
afterAll(() => testServer.close());

/** A user, and an application that they have just authorized, each with its own client. */
async function authorizeApplication() {
  const person = await joinPerson(testServer);
  const tokens = await letIn(testServer, await registerApplication(testServer), person.browser);
  const { anonKey } = testServer;
  const application: SupabaseClient = testServer.visitor();
  const act = <Request extends { setHeader(name: string, value: string): Request }>(request: Request) =>
    request.setHeader("Authorization", `Bearer ${tokens.access_token}`).setHeader("apikey", anonKey);
  return { ...person, application, act };
}

test("an application saves trades for its user", async () => {
  const { browser, id, application, act } = await authorizeApplication();
  const { data: items } = await browser.from("items").select("id, name").limit(1).throwOnError();
  const entry = { id: items?.[0]?.id, name: items?.[0]?.name, value: "1", viewMode: "regular" };
  const trade = { user_id: id, your_items: [entry], their_items: [entry] };
  expect((await act(application.from("trade_history").insert(trade))).error).toBe(null);
  expect((await act(application.from("trade_history").select("user_id"))).data).toEqual([{ user_id: id }]);
  expect((await browser.from("trade_history").select("user_id")).data).toEqual([{ user_id: id }]);
});

test("it cannot write messages, ratings or the profile in the user's name", async () => {
  const { browser, id, application, act } = await authorizeApplication();
  const other = await joinPerson(testServer);
  const message = { user_id: id, username: "x", message: "Hello" };
  expect((await browser.from("chat_messages").insert(message)).error).toBe(null);
  expect((await act(application.from("chat_messages").insert(message))).error?.code).toBe("42501");
  const rating = { rater_id: id, rated_user_id: other.id, rating: 5 };
  expect((await act(application.from("user_ratings").insert(rating))).error?.code).toBe("42501");
  const renamed = await act(application.from("profiles").update({ listed: false }).eq("id", id).select());
  expect(renamed.data).toEqual([]);
});

test("an admin's application has no admin rights", async () => {
  const { browser, id, application, act } = await authorizeApplication();
  await testServer.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [id]);
  const { data: categories } = await browser.from("categories").select("id, name").limit(1).throwOnError();
  const [known] = categories as { id: string; name: string }[];
  const change = (client: SupabaseClient) =>
    client.from("categories").update({ name: known?.name }).eq("id", known?.id).select("id");
  expect((await change(browser)).data).toHaveLength(1);
  expect((await act(change(application))).data).toEqual([]);
});

test("it can neither delete the account nor read its log, however fresh its tokens are", async () => {
  const { browser, id, application, act } = await authorizeApplication();
  expect((await act(application.rpc("delete_own_account"))).status).toBe(403);
  expect((await act(application.rpc("list_own_sessions"))).data).toEqual([]);
  expect((await act(application.rpc("list_own_account_log"))).data).toEqual([]);
  const { data: sessions } = await browser.rpc("list_own_sessions");
  expect(sessions.map((session: { is_application: boolean }) => session.is_application)).toEqual([
    false,
    true,
  ]);
  const end = application.rpc("end_own_session", { session_id: sessions[0].id });
  expect((await act(end)).data).toBe(false);
  expect((await browser.rpc("delete_own_account")).error).toBe(null);
  expect(await testServer.query("select from auth.sessions where user_id = $1", [id])).toEqual([]);
});

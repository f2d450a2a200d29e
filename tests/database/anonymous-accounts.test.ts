import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthTestServer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

let testServer: AuthTestServer;

beforeAll(async () => {
  testServer = await openAuth({ anonymousUsers: true });
});
afterAll(() => testServer.close());

async function openAccount() {
  const client = testServer.visitor();
  const { data } = await client.auth.signInAnonymously();
  const id = data.user?.id ?? "";
  const { data: items } = await client.from("items").select("id, name").limit(1).throwOnError();
  const entry = { id: items?.[0]?.id, name: items?.[0]?.name, value: "1", viewMode: "regular" };
  const trade = { user_id: id, your_items: [entry], their_items: [entry] };
  return { client, id, trade };
}

const isListed = async (id: string) => {
  const { data } = await testServer.visitor().from("profiles").select("id").eq("id", id).throwOnError();
  return data.length === 1;
};

test("keep their trades after becoming full accounts, which may be listed and write", async () => {
  const { client, id, trade } = await openAccount();
  await client.from("trade_history").insert(trade).throwOnError();
  expect(await isListed(id)).toBe(false);
  await client.auth.updateUser({ email: "ann@example.org", password: PASSWORD });
  await client.auth.refreshSession();
  expect(await isListed(id)).toBe(false);
  await client.rpc("choose_age_band", { band: "18-or-older", list_me: true }).throwOnError();
  expect(await isListed(id)).toBe(true);
  const later = testServer.visitor();
  await later.auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
  const { data } = await later.from("trade_history").select("user_id").throwOnError();
  expect(data).toEqual([{ user_id: id }]);
  const sent = await later.from("chat_messages").insert({ user_id: id, username: "x", message: "Hello" });
  expect(sent.error).toBe(null);
});

test("are invisible to others, even with a token that does not mark them as anonymous", async () => {
  const { client, id } = await openAccount();
  const sent = await client.from("chat_messages").insert({ user_id: id, username: "x", message: "Hello" });
  expect(sent.error?.code).toBe("42501");
  await client.from("profiles").update({ listed: true, username: "Somebody" }).eq("id", id).throwOnError();
  expect(await isListed(id)).toBe(false);
  const names = await testServer.query("select username from public.profiles where id = $1", [id]);
  expect(names).not.toEqual([{ username: "Somebody" }]);

  // Directly in SQL, with claims that lack `is_anonymous`.
  const as = (text: string) =>
    testServer
      .query(
        `begin; set local role authenticated;
         select set_config('request.jwt.claims', '{"sub":"${id}","role":"authenticated"}', true),
           set_config('realtime.topic', 'chat', true);
         ${text}; rollback`,
      )
      .then(
        () => "done",
        async (error) => {
          await testServer.query("rollback");
          return error.code;
        },
      );
  expect(
    await as(`insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${id}/${id}.png')`),
  ).toBe("42501");
  expect(await as("insert into realtime.messages (topic, extension) values ('chat', 'presence')")).toBe(
    "42501",
  );
});

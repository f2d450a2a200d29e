import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { type Answer, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";

/** The response, and the number of round trips it took. */
async function countTrips(work: () => Promise<Answer>): Promise<{ trips: number; body: Answer["body"] }> {
  const asked = vi.spyOn(Client.prototype, "query");
  try {
    const { status, body } = await work();
    expect(status).toBe(200);
    const clients = asked.mock.contexts as unknown as {
      connectionParameters: { application_name: string };
    }[];
    const own = clients.filter(
      ({ connectionParameters }) => connectionParameters.application_name === "auth",
    );
    return { trips: own.length, body };
  } finally {
    asked.mockRestore();
  }
}

const accountGuard = { proofSeconds: 600, undoPage: "http://site.test/auth" };

test("a sign-up takes three round trips to the database, a sign-in and a refresh two, and reading the user one", async () => {
  const testServer = await openAuth({ addressHeader: "x-visitor", accountGuard });
  const headers = { "x-visitor": "192.0.2.1" };
  const account = { email: "ann@example.org", password: PASSWORD };
  const post = (path: string, body: object) =>
    countTrips(() => testServer.request("POST", path, { body, headers }));
  expect((await post("/signup", account)).trips).toBe(3);
  const { trips, body } = await post("/token?grant_type=password", account);
  expect(trips).toBe(2);
  const refreshed = await post("/token?grant_type=refresh_token", { refresh_token: body.refresh_token });
  expect(refreshed.trips).toBe(2);
  const token = refreshed.body.access_token as string;
  expect((await countTrips(() => testServer.request("GET", "/user", { token }))).trips).toBe(1);
  await testServer.close();
});

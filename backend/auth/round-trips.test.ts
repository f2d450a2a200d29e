import { Client } from "pg";
import { expect, test, vi } from "vitest";
import { openAuth, PASSWORD } from "#tests/helpers/auth/auth-harbour.ts";

/** How often the service's connections are asked while `work` goes on. */
async function countTrips(work: () => Promise<{ error: unknown }>): Promise<number> {
  const asked = vi.spyOn(Client.prototype, "query");
  try {
    expect((await work()).error).toBe(null);
    const clients = asked.mock.contexts as unknown as {
      connectionParameters: { application_name: string };
    }[];
    return clients.filter(({ connectionParameters }) => connectionParameters.application_name === "auth")
      .length;
  } finally {
    asked.mockRestore();
  }
}

test("a sign-in and a refresh ask the database twice, the person's own row is had for one question", async () => {
  const harbour = await openAuth({ addressHeader: "x-visitor" });
  const { auth } = harbour.visitor();
  await auth.signUp({ email: "ann@example.org", password: PASSWORD });
  const signIn = () => auth.signInWithPassword({ email: "ann@example.org", password: PASSWORD });
  expect(await countTrips(signIn)).toBe(2);
  expect(await countTrips(() => auth.refreshSession())).toBe(2);
  expect(await countTrips(() => auth.getUser())).toBe(1);
  await harbour.close();
});

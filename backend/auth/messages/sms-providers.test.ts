import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "#tests/helpers/listen.ts";
import { createSmsProvider, type SmsProvider } from "./sms-providers.ts";

const texts = { code: "Your code:\\n{{ .Code }}", factorCode: "Second factor {{.Code}}" };
const message = { user: {}, phone: "15550100", code: "123456" };

/** A fake provider: sends a fixed response, and records its requests. */
async function fakeProvider(answer: object, status = 200) {
  const asked: { path?: string; authorization?: string; fields: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { url: path, headers } = request;
    const fields = Object.fromEntries(new URLSearchParams(body));
    asked.push({ path, authorization: headers.authorization, fields } as (typeof asked)[number]);
    response.writeHead(status).end(JSON.stringify(answer));
  });
  const { url: origin, close } = await listen(server);
  onTestFinished(close);
  return { asked, origin };
}

type Case = [SmsProvider, taken: object, refused: object, asked: object];

const cases: Case[] = [
  [
    { name: "twilio", accountSid: "AC1", authToken: "secret", sender: "MG1" },
    { sid: "SM1", status: "accepted" },
    { status: "failed" },
    {
      path: "/2010-04-01/Accounts/AC1/Messages.json",
      authorization: `Basic ${Buffer.from("AC1:secret").toString("base64")}`,
      fields: { To: "+15550100", MessagingServiceSid: "MG1", Body: "Your code:\n123456" },
    },
  ],
  [
    { name: "messagebird", accessKey: "key", originator: "Harbor" },
    { id: "m1" },
    { errors: [{ code: 9 }] },
    {
      path: "/messages",
      authorization: "AccessKey key",
      fields: { originator: "Harbor", recipients: "15550100", body: "Your code:\n123456" },
    },
  ],
  [
    { name: "textlocal", apiKey: "key", sender: "HARBOR" },
    { status: "success" },
    { status: "failure" },
    {
      path: "/send/",
      fields: { sender: "HARBOR", apikey: "key", numbers: "15550100", message: "Your code:\n123456" },
    },
  ],
  [
    { name: "vonage", apiKey: "key", apiSecret: "secret", from: "Harbor" },
    { messages: [{ status: "0" }] },
    { messages: [{ status: "4" }] },
    {
      path: "/sms/json",
      fields: {
        from: "Harbor",
        to: "15550100",
        text: "Your code:\n123456",
        api_key: "key",
        api_secret: "secret",
      },
    },
  ],
];

test.each(cases)("$name gets the code in its own API's format", async (provider, taken, _, asked) => {
  const place = await fakeProvider(taken);
  await createSmsProvider(provider, texts, place.origin).send(message);
  expect(place.asked).toEqual([
    expect.objectContaining({
      ...asked,
      fields: expect.objectContaining((asked as { fields: object }).fields),
    }),
  ]);
});

test.each(cases)("$name's refusal rejects, without naming the number", async (provider, taken, refused) => {
  for (const [answer, status] of [
    [refused, 200],
    [taken, 500],
  ] as const) {
    const { origin } = await fakeProvider(answer, status);
    await expect(createSmsProvider(provider, texts, origin).send(message)).rejects.toThrow(
      /^(?!.*15550100)\w+ (did not take the message|answered 500)$/,
    );
  }
});

test("a second factor's code has its own text, and a notice is sent unchanged", async () => {
  const place = await fakeProvider({ status: "success" });
  const provider = createSmsProvider({ name: "textlocal", apiKey: "k", sender: "s" }, texts, place.origin);
  await provider.send({ ...message, purpose: "mfa" });
  await provider.send({ user: {}, phone: "15550100", notice: "Your number was changed." });
  expect(place.asked.map(({ fields }) => fields.message)).toEqual([
    "Second factor 123456",
    "Your number was changed.",
  ]);
});

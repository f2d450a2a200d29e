import { rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Listening, listen } from "#tests/helpers/listen.ts";
import { catchMails, type MailCatcher } from "#tests/helpers/mail-catcher.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { anonymousClient } from "#tests/helpers/signed-in.ts";

const PASSWORD = "Correct horse 7 battery!";
const EMAIL = "mirabel.stone@example.org";
const ADDRESS = "203.0.113.77";
const CODE = "c0de-that-opens-an-account";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

type Value = { stringValue?: string; intValue?: number };
type Attribute = { key: string; value: Value };
type Sent = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: Attribute[];
  status: { code?: number };
};
type Export = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Sent[] }[] }[];
};

let dataDir: string;
let server: ServerProcess;
let mails: MailCatcher;
let receiver: Listening;
/** Exports as they reached the collector, and the headers of requests for text-message codes. */
const exports: string[] = [];
const hooked: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  dataDir = readyDataDir();
  mails = await catchMails();
  const collecting = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === "/v1/traces") exports.push(body);
    else hooked.push(request.headers);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  receiver = await listen(collecting);
  const here = receiver.url;
  server = await startServer({
    env: {
      DATA_DIR: dataDir,
      CLIENT_ADDRESS_HEADER: "x-real-ip",
      SMTP_URL: mails.url,
      SMS_HOOK_URL: `${here}/sms/${CODE}`,
      SMS_HOOK_SECRET: `v1,whsec_${Buffer.alloc(32, 7).toString("base64")}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: here,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_SERVICE_NAME: "harbor",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    },
  });
});

afterAll(async () => {
  await server?.stop();
  await mails.close();
  await receiver.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const all = (): Export[] => exports.map((body) => JSON.parse(body));
const spans = () =>
  all().flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
const children = (parent: Sent) => spans().filter(({ parentSpanId }) => parentSpanId === parent.spanId);

/** The first span with this name, once the collector has it. */
async function arrived(name: string | RegExp): Promise<Sent> {
  const find = () =>
    spans().find((span) => (typeof name === "string" ? span.name === name : name.test(span.name)));
  await expect.poll(find, { message: String(name) }).toBeDefined();
  return find() as Sent;
}

test("a request is a span named by its route, within the caller's trace, with its statements by operation", async () => {
  const headers = {
    "x-real-ip": ADDRESS,
    traceparent: `00-${TRACE}-${PARENT}-01`,
    tracestate: `who=${EMAIL}`,
  };
  await (await fetch(`${server.address}/fruits/kitsune?code=${CODE}`, { headers })).text();
  const request = await arrived("GET /fruits/:slug");
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2 });
  expect(valuesOf(request.attributes)).toMatchObject({
    "http.request.method": "GET",
    "http.route": "/fruits/:slug",
    "http.response.status_code": 200,
    "site.service": "pages",
    "site.request_id": expect.stringMatching(/^[\w-]{12}$/),
  });
  const [statement] = children(request).filter(({ name }) => name.startsWith("SELECT"));
  expect(statement).toMatchObject({ traceId: TRACE, kind: 3 });
  expect(valuesOf(statement?.attributes ?? [])).toMatchObject({
    "db.system.name": "postgresql",
    "db.operation.name": "SELECT",
  });
  const [first] = all();
  expect(valuesOf(first?.resourceSpans[0]?.resource.attributes ?? [])).toMatchObject({
    "service.name": "harbor",
    "service.version": expect.stringMatching(/^\d+\.\d+\.\d+$/),
    "deployment.environment.name": "test",
  });
});

test("mails and outgoing calls are spans, and the called service receives the trace context", async () => {
  const client = await anonymousClient(server);
  const { error } = await client.auth.signUp({ email: EMAIL, password: PASSWORD });
  expect(error).toBe(null);
  await expect.poll(() => mails.mails.length).toBe(1);
  await arrived("mail send");
  const signUp = await arrived("POST /auth/v1/signup");
  expect(children(signUp).some(({ name }) => name === "INSERT auth")).toBe(true);

  await client.auth.signInWithOtp({ phone: "+15550177" });
  await expect.poll(() => hooked.length).toBe(1);
  const call = await arrived("POST 127.0.0.1");
  expect(hooked[0]?.traceparent).toBe(`00-${call.traceId}-${call.spanId}-01`);
  expect(spans().find(({ spanId }) => spanId === call.parentSpanId)?.name).toBe("POST /auth/v1/otp");
});

test("no span contains the user, their address, or any credential", async () => {
  const client = await anonymousClient(server);
  const { data } = await client.auth.signUp({ email: `2${EMAIL}`, password: PASSWORD });
  await client.auth.signInWithPassword({ email: EMAIL, password: `${PASSWORD} wrong` });
  await client.auth.resetPasswordForEmail(EMAIL);
  await client.from("profiles").select("*").eq("username", EMAIL);
  const headers = { "x-real-ip": ADDRESS, cookie: `session=${CODE}`, authorization: `Bearer ${CODE}` };
  await fetch(`${server.address}/auth/v1/verify?token=${CODE}&type=recovery&redirect_to=/`, {
    headers,
    redirect: "manual",
  });
  await fetch(`${server.address}/rest/v1/${EMAIL}`, { headers });
  await arrived(/^GET \/rest\/v1\/(\*|\(other\)|:\w+|.*profiles)/);
  await server.stop();
  const told = exports.join("\n");
  expect(spans().length).toBeGreaterThan(20);
  expect(data.user?.id ?? "").not.toBe("");
  for (const secret of [EMAIL, PASSWORD, ADDRESS, CODE, "15550177", "eyJ", data.user?.id ?? ""])
    expect(told, secret).not.toContain(secret);
  // Its own calls to the collector are not traced.
  expect(told).not.toContain("/v1/traces");
  expect(spans().filter(({ name }) => name === "POST 127.0.0.1")).toHaveLength(1);
});

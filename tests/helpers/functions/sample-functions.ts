/** Functions in both forms, keyed by their file under `supabase`. */
export const SAMPLES = {
  "config.toml": `
    [functions.open]
    verify_jwt = false
    [functions.off]
    enabled = false
    [functions.elsewhere]
    entrypoint = "./functions/_main/main.ts"
    [functions.original]
    entrypoint = "../original/index.ts"`,
  "functions/_main/main.ts": `Deno.serve(() => new Response("from its entrypoint"));`,
  "functions/.env": "GREETING=hello\nSUPABASE_URL=https://evil.example",
  "functions/_shared/greet.ts": `export const greet = (name: string): string => "Hello " + name;`,
  "functions/standard/index.ts": `
    import { greet } from "../_shared/greet.ts";
    export default { fetch: async (request: Request) => Response.json({ said: greet((await request.json()).name) }) };`,
  "functions/original/index.ts": `
    import "jsr:@supabase/functions-js/edge-runtime.d.ts";
    import { createClient } from "npm:@supabase/supabase-js@2";
    addEventListener("beforeunload", (event) => console.log(event.detail?.reason));
    Deno.serve(async (request) => {
      const asCaller = createClient(Deno.env.get("SUPABASE_URL")!, Deno.env.get("SUPABASE_ANON_KEY")!, {
        global: { headers: { Authorization: request.headers.get("Authorization")! } },
      });
      const { data } = await asCaller.auth.getUser();
      return Response.json({ url: request.url, email: data.user?.email ?? null });
    });`,
  "functions/echo/index.ts": `
    export default {
      async fetch(request) {
        const type = request.headers.get("content-type") ?? "";
        const form = type.startsWith("multipart/") ? Object.fromEntries(await request.formData()) : null;
        return Response.json({
          method: request.method,
          path: new URL(request.url).pathname + new URL(request.url).search,
          type: type.split(";")[0],
          text: form ? null : await request.text(),
          form: form && { name: form.name, file: await form.file.text() },
          headers: Object.fromEntries(request.headers),
        });
      },
    };`,
  "functions/kinds/index.ts": `
    export default {
      fetch(request) {
        const kind = new URL(request.url).searchParams.get("kind");
        if (kind === "text") return new Response("plain words");
        if (kind === "html") return new Response("<script>1</script>", { headers: { "content-type": "text/html" } });
        if (kind === "blob") return new Response(new Uint8Array([1, 2, 3]), { headers: { "content-type": "application/octet-stream" } });
        if (kind === "form") { const form = new FormData(); form.set("a", "b"); return new Response(form); }
        if (kind === "none") return new Response(null, { status: 204 });
        if (kind === "teapot") return Response.json({ why: "a teapot" }, { status: 418 });
        const pieces = ["data: 1\\n\\n", "data: 2\\n\\n"];
        const body = new ReadableStream({
          async pull(controller) {
            const piece = pieces.shift();
            piece ? controller.enqueue(new TextEncoder().encode(piece)) : controller.close();
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    };`,
  "functions/open/index.ts": `
    Deno.serve({ onListen() {} }, (request) => new Response("open", {
      headers: { "access-control-allow-origin": "https://mine.example", "x-method": request.method },
    }));`,
  "functions/off/index.ts": "Deno.serve(() => new Response());",
  "functions/surroundings/index.ts": `
    import { readFileSync } from "node:fs";
    import { spawn } from "node:child_process";
    import { Worker } from "node:worker_threads";
    const outcome = (work) => { try { return String(work()); } catch (cause) { return cause.code ?? cause.message; } };
    Deno.serve(() => Response.json({
      environment: Deno.env.toObject(),
      passwd: outcome(() => readFileSync("/etc/passwd", "utf8")),
      parent: outcome(() => readFileSync("/proc/" + process.ppid + "/environ", "utf8")),
      config: outcome(() => readFileSync("../config.toml", "utf8")),
      process: outcome(() => spawn("true")),
      thread: outcome(() => new Worker("", { eval: true })),
      signal: outcome(() => process.kill(process.ppid, 0)),
    }));`,
};

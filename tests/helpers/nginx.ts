import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const NGINX = "/usr/sbin/nginx";
const EXAMPLES = resolve(import.meta.dirname, "../../deploy");

/** Whether Debian's nginx is installed. */
export const hasNginx = existsSync(NGINX);

/** An example config with this machine's ports, names and files substituted; each text to replace must be present. */
export function readExample(file: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/${file} has no ${from}`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(EXAMPLES, file), "utf8"),
  );
}

/** A self-signed certificate for `localhost`. */
export function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...subject], {
    stdio: "ignore",
  });
  return { certificate, key };
}

type NginxOptions = {
  ports: { secure: number; plain: number };
  certificate: string;
  key: string;
  /** Changes to deploy/nginx.conf besides ports, names and certificate. */
  changes: readonly (readonly [string, string])[];
};

/** Writes deploy/nginx.conf adapted to this machine; returns the arguments to start nginx with. */
export function configureNginx(folder: string, { ports, certificate, key, changes }: NginxOptions): string[] {
  const site = readExample("nginx.conf", [
    ["listen 80;", `listen 127.0.0.1:${ports.plain};`],
    ["listen 443 ssl", `listen 127.0.0.1:${ports.secure} ssl`],
    ["values.example;", "localhost;"],
    ["/etc/letsencrypt/live/values.example/fullchain.pem", certificate],
    ["/etc/letsencrypt/live/values.example/privkey.pem", key],
    ...changes,
  ]);
  const file = join(folder, "nginx.conf");
  writeFileSync(file, mainNginxConfig(folder, site));
  return ["-p", folder, "-c", file];
}

/** Replaces Debian's main config, which uses files all over the system. */
export function mainNginxConfig(folder: string, sites: string): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(" ");
  const user = process.getuid?.() === 0 ? "user root; " : "";
  const head = `daemon off; pid ${folder}/nginx.pid; error_log stderr; ${user}events {}`;
  return `${head} http { access_log off; ${paths}\n${sites}\n}`;
}

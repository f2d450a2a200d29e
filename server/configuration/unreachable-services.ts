import { MissingFileError } from "#backend/storage/files/object-store.ts";
import type { S3Options } from "#backend/storage/files/s3-store.ts";
import type { ServerConfig } from "./config.ts";

const PATIENCE_MS = 10_000;
/** Of S3: a bucket or key that will not do. Others, such as a refusal to list, do not prevent reading and writing. */
const S3_FAULTS = ["NoSuchBucket", "InvalidAccessKeyId", "SignatureDoesNotMatch", "CredentialsProviderError"];

/**
 * A sentence for each configured service on another machine that does not work now. Their absence does not prevent the
 * start: they may come back at any time.
 */
export async function findUnreachable({
  hosted,
  storage: { s3 },
  mail: { smtpUrl },
}: ServerConfig): Promise<string[]> {
  const [ofBackend, ofS3, ofMail] = await Promise.all([
    hosted ? askBackend(hosted).catch(reasonOf) : null,
    s3 ? askS3(s3).catch(reasonOf) : null,
    smtpUrl ? askMailServer(smtpUrl).catch(reasonOf) : null,
  ]);
  const sentences: string[] = [];
  if (ofBackend !== null) {
    sentences.push(
      `SUPABASE_URL: ${new URL(hosted?.url ?? "").origin} does not work now (${ofBackend}): until it does, only pages kept in memory are shown, and nobody can sign in.`,
    );
  }
  if (ofS3 !== null) {
    sentences.push(
      `S3_BUCKET: ${s3?.bucket}${s3?.endpoint ? ` at ${s3.endpoint}` : ""} does not work now (${ofS3}): until it does, files can be neither uploaded nor read.`,
    );
  }
  if (ofMail !== null) {
    sentences.push(
      `SMTP_URL: ${new URL(smtpUrl ?? "").host} does not work now (${ofMail}): until it does, mails wait, each for up to a day.`,
    );
  }
  return sentences;
}

/** Why it does not work; null if it does. */
async function askBackend({ url, anonKey }: { url: string; anonKey: string }): Promise<string | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { ok, status } = await fetch(new URL("/auth/v1/health", url), {
    headers: { apikey: anonKey },
    signal,
  });
  if (ok) return null;
  return status === 401 || status === 403 ? "SUPABASE_ANON_KEY is refused" : `it answers ${status}`;
}

/** The same, by reading a file that does not exist. */
async function askS3(options: S3Options): Promise<string | null> {
  const { createS3Store } = await import("#backend/storage/files/s3-store.ts");
  const store = createS3Store({ ...options, patience: PATIENCE_MS });
  try {
    await store.readWhole("none", 0);
    return null;
  } catch (error) {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    if (error instanceof MissingFileError) return null;
    const hasAnswered = $metadata?.httpStatusCode !== undefined;
    return hasAnswered && !S3_FAULTS.includes(name) ? null : reasonOf(error);
  } finally {
    await store.close();
  }
}

/** The same, by signing in. */
async function askMailServer(url: string): Promise<null> {
  const { checkSmtp } = await import("#backend/auth/messages/mailer.ts");
  await checkSmtp(url);
  return null;
}

/** A code such as ECONNREFUSED or NoSuchBucket; the messages of some libraries quote credentials. */
function reasonOf(error: unknown): string {
  const {
    code,
    originalCode = code,
    name,
    cause,
  } = error as Error & { code?: string; originalCode?: string };
  if (cause instanceof Error && "code" in cause) return String(cause.code);
  return originalCode ?? name;
}

import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { invalidRequest } from "../storage-error.ts";
import { bodyOf } from "./body-of.ts";
import { type Described, headerText, mediaType, parseMetadata, type UploadBody } from "./upload-body.ts";

const LIMITS = { files: 1, fieldNameSize: 100, headerPairs: 100 };
/** How many fields are read, and how much of each: together a megabyte, since they are kept until the file begins. */
type FieldLimits = { fields: number; fieldSize: number };
const OWN_FIELDS: FieldLimits = { fields: 10, fieldSize: 100_000 };

type Fields = ReadonlyMap<string, string>;

/** The file, with the fields before it; `ended` resolves to all fields once the form has been read. */
type Part = {
  content: Readable;
  mimetype: string;
  filename: string;
  fields: Fields;
  ended: Promise<Fields>;
};

/**
 * The first file of a form as a stream, with the fields before it and, once it was read, those after it, and with the
 * metadata from the request's headers.
 * @throws StorageError 400 if there is no file, or no form at all
 */
export async function readForm(
  request: HttpRequest,
  headers: Pick<Described, "robots">,
): Promise<UploadBody> {
  const { content, mimetype, fields, ended } = await firstFile(request, OWN_FIELDS);
  const described = (all: Fields) => ({ ...describe(all, mimetype), ...headers });
  return { content, ...described(fields), complete: async () => described(await ended) };
}

function describe(fields: Fields, mimetype: string): Described {
  const cacheControl = fields.get("cacheControl");
  const encoding = fields.get("contentEncoding");
  return {
    mimetype: mediaType(fields.get("contentType") ?? mimetype),
    cacheControl: headerText(cacheControl ? `max-age=${cacheControl}` : "no-cache", "cache-control"),
    ...(encoding && { contentEncoding: headerText(encoding, "content-encoding") }),
    userMetadata: parseMetadata(fields.get("metadata"), "utf8"),
  };
}

/** The form's first file, when it begins to arrive. @throws StorageError 400 if there is none */
export function firstFile(request: HttpRequest, limits: FieldLimits): Promise<Part> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    const end = Promise.withResolvers<Fields>();
    // A refused upload does not wait for it.
    end.promise.catch(() => {});
    const fail = (message: string) => {
      reject(invalidRequest(message));
      end.reject(invalidRequest(message));
    };
    const form = openForm(request, limits, fail);
    if (!form) return;
    const source = bodyOf(request);
    let file: Readable | null = null;
    const broken = (cause: Error) => {
      file?.destroy(cause);
      fail("The form ends too early or is not well-formed");
    };
    form.on("field", (name, value) => void fields.set(name, value));
    form.on("file", (_name, content, filename, _encoding, mimetype) => {
      file = content;
      // Not reading a form to its end means that it was refused; it is not a failure.
      content.on("error", () => {});
      resolve({ content, mimetype, filename: filename ?? "", fields: new Map(fields), ended: end.promise });
    });
    form.on("finish", () => {
      end.resolve(fields);
      fail("No file provided");
    });
    form.on("error", (cause) => broken(cause as Error));
    source.once("error", broken);
    source.once("close", () => source.readableEnded || broken(new Error("the client went away")));
    source.pipe(form);
  });
}

function openForm(
  { headers }: HttpRequest,
  limits: FieldLimits,
  fail: (message: string) => void,
): InstanceType<typeof Busboy> | null {
  try {
    return new Busboy({
      headers: headers as IncomingHttpHeaders & { "content-type": string },
      limits: { ...LIMITS, ...limits },
    });
  } catch {
    fail("The form has no boundary");
    return null;
  }
}

import { type MediaType, parseMediaType } from "#backend/http/media-type.ts";
import { apiError } from "../api-error.ts";
import type { AnswerMedia } from "../query/answer.ts";
import type { CustomMedia } from "./media-handlers.ts";

const planOptions = ["analyze", "verbose", "settings", "buffers", "wal"];
const json: AnswerMedia = media("json", "application/json");

/** The available media type that the client prefers most. @throws ApiError PGRST107 if none is available */
export function negotiate(
  accept: readonly MediaType[],
  allowPlan: boolean,
  custom: CustomMedia,
): AnswerMedia {
  for (const wanted of accept) {
    const found = answerMedia(wanted, allowPlan, custom);
    if (found) return found;
  }
  throw notAcceptable(accept);
}

export function notAcceptable(accept: readonly MediaType[]) {
  const names = accept.map(({ text }) => text).join(", ");
  return apiError(406, "PGRST107", `None of these media types are available: ${names}`);
}

function answerMedia(wanted: MediaType, allowPlan: boolean, custom: CustomMedia): AnswerMedia | null {
  return ownMedia(wanted, allowPlan, custom) ?? custom(wanted.name) ?? commonMedia(wanted);
}

/** PostgREST's vendor types, which database handlers cannot override. */
function ownMedia(wanted: MediaType, allowPlan: boolean, custom: CustomMedia): AnswerMedia | null {
  const stripped = wanted.params.nulls === "stripped";
  switch (wanted.name) {
    case "application/vnd.pgrst.array":
    case "application/vnd.pgrst.array+json":
      return stripped ? media("json", "application/vnd.pgrst.array+json;nulls=stripped", true) : json;
    case "application/vnd.pgrst.object":
    case "application/vnd.pgrst.object+json":
      return media(
        "single",
        `application/vnd.pgrst.object+json${stripped ? ";nulls=stripped" : ""}`,
        stripped,
      );
    case "application/vnd.pgrst.plan":
    case "application/vnd.pgrst.plan+text":
    case "application/vnd.pgrst.plan+json":
      return allowPlan ? planMedia(wanted, custom) : null;
    default:
      return null;
  }
}

function commonMedia({ name }: MediaType): AnswerMedia | null {
  switch (name) {
    case "*/*":
    case "application/*":
    case "application/json":
      return json;
    case "text/csv":
      return media("csv", "text/csv");
    case "application/geo+json":
      return media("geojson", "application/geo+json");
    default:
      return null;
  }
}

function media(format: AnswerMedia["format"], type: string, stripNulls = false): AnswerMedia {
  const contentType = `${type}; charset=utf-8`;
  return { format, handler: null, isBytes: false, stripNulls, contentType, explain: null };
}

function planMedia(wanted: MediaType, custom: CustomMedia): AnswerMedia {
  const explained =
    answerMedia(parseMediaType(wanted.params.for ?? "application/json"), false, custom) ?? json;
  const requested = (wanted.params.options ?? "").split("|");
  const options = planOptions.filter((option) => requested.includes(option));
  const format = wanted.name.endsWith("+json") ? "JSON" : "TEXT";
  const name = `application/vnd.pgrst.plan+${format.toLowerCase()}`;
  const given = options.length === 0 ? "" : `; options=${options.join("|")}`;
  const forType = explained.contentType.replace("; charset=utf-8", "");
  return {
    ...explained,
    contentType: `${name}; for="${forType}"${given}; charset=utf-8`,
    explain: { format, options: options.map((option) => option.toUpperCase()) },
  };
}

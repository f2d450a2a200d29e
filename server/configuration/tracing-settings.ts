import * as v from "valibot";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const RATIO_RULE = "must be a number from 0 to 1";
const PROTOCOLS = ["http/protobuf", "http/json"] as const;
/** What OpenTelemetry reads, which drops anything else without a word: pairs with commas between them, or none. */
const pairs = (pair: RegExp) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (value) => value.split(",").every((part) => part.trim() === "" || pair.test(part)),
        "must be written as name=value,name=value",
      ),
    ),
  );
const HEADER = /^\s*[\w!#$%&'*+.^`|~-]+\s*=[^\n]*$/;
/** One that has a second `=` makes it drop all of them. */
const ATTRIBUTE = /^\s*[^=\s][^=]*=[^=]*$/;
const endpoint = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      "must be an address such as http://localhost:4318",
    ),
  ),
);

/** OpenTelemetry's standard variables; the exporter reads its others (`…_HEADERS`, `…_TIMEOUT`) by itself. */
export const TRACING_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: v.optional(
    v.picklist(PROTOCOLS, 'must be "http/protobuf" or "http/json"'),
    "http/protobuf",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: pairs(HEADER),
  OTEL_SERVICE_NAME: v.optional(v.pipe(v.string(), v.maxLength(100, "must have 100 characters at most"))),
  OTEL_RESOURCE_ATTRIBUTES: pairs(ATTRIBUTE),
  OTEL_TRACES_SAMPLER: v.optional(
    v.picklist(SAMPLERS, `must be one of ${SAMPLERS.join(", ")}`),
    "parentbased_always_on",
  ),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(0?\.\d+|[01](\.\d+)?)$/, RATIO_RULE),
      v.transform(Number),
      v.maxValue(1, RATIO_RULE),
    ),
    "1",
  ),
  OTEL_SDK_DISABLED: v.optional(v.picklist(["true", "false"], 'must be "true" or "false"'), "false"),
};

export type TracingSettings = {
  protocol: (typeof PROTOCOLS)[number];
  sampler: (typeof SAMPLERS)[number];
  /** Sampling ratio from 0 to 1, for ratio-based samplers. */
  ratio: number;
  serviceName?: string;
};

type Values = v.InferOutput<ReturnType<typeof v.object<typeof TRACING_VARIABLES>>>;

/** Absent if no endpoint is set or the SDK is disabled. */
export function readTracing(values: Values): { tracing?: TracingSettings } {
  const to = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (to === undefined || values.OTEL_SDK_DISABLED === "true") return {};
  const serviceName = values.OTEL_SERVICE_NAME;
  return {
    tracing: {
      protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
      sampler: values.OTEL_TRACES_SAMPLER,
      ratio: values.OTEL_TRACES_SAMPLER_ARG,
      ...(serviceName && { serviceName }),
    },
  };
}

import { readFlag, readPairs, readWebAddress } from './setting-readers.ts';
import { setting } from './setting.ts';

/** Where and how traces are exported. The names are those of OpenTelemetry, which other programs read too. */
export interface TracingSettings {
  /** The base URL of an OTLP receiver. */
  endpoint: string;
  /** Attributes of everything exported, with `service.name`. */
  resource: Readonly<Record<string, string>>;
  /** Whether what people, models, and tools wrote is exported. */
  hasContent: boolean;
}

const none: Readonly<Record<string, string>> = {};

/** Settings of traces. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting<string | null>({
    about: 'Base URL of an OpenTelemetry receiver (OTLP over HTTP) for traces of tasks, sent in JSON to `/v1/traces`.',
    fallback: null,
    fallbackText: 'none: no traces',
    example: 'http://localhost:4318',
    read: readWebAddress,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting({
    about:
      'Headers for this receiver, as `name=value` separated by commas; commas and percent signs in values are percent-encoded.',
    fallback: none,
    fallbackText: 'none',
    example: 'authorization=Bearer%20the-token',
    read: (text) => readPairs(text, /^[a-z0-9!#$&'*+.^_`|~-]{1,128}$/i, /^[\x20-\x7e]*$/),
  }),
  OTEL_SERVICE_NAME: setting({
    about: 'Name of this service in traces.',
    fallback: 'errand',
    example: 'errand-production',
    read: (text) => text,
  }),
  OTEL_RESOURCE_ATTRIBUTES: setting({
    about: 'Further attributes of this service in traces, written like OTEL_EXPORTER_OTLP_HEADERS.',
    fallback: none,
    fallbackText: 'none',
    example: 'deployment.environment.name=production',
    read: (text) => readPairs(text, /^[\w.-]{1,128}$/),
  }),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: setting({
    about: 'Whether traces contain messages, replies, and the arguments and results of tools.',
    fallback: false,
    example: 'true',
    read: readFlag,
  }),
};

interface TracingValues {
  OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  OTEL_SERVICE_NAME: string;
  OTEL_RESOURCE_ATTRIBUTES: Readonly<Record<string, string>>;
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: boolean;
}

/** The settings of traces together; null if none are exported. */
export function readTracing(values: TracingValues): TracingSettings | null {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === null) return null;
  const resource = Object.freeze({ ...values.OTEL_RESOURCE_ATTRIBUTES, 'service.name': values.OTEL_SERVICE_NAME });
  return Object.freeze({ endpoint, resource, hasContent: values.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT });
}

import { type Logger, pino, stdTimeFunctions } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Credentials, at the top level of a record or one level below. Headers carry them under many names, so no headers are logged. */
const hidden = ['headers', 'authorization', 'api_key'].flatMap((name) => [name, `*.${name}`]);

/** One JSON object per line; control characters in values are escaped by JSON, credentials are redacted. */
export function createLog(level: string, destination: NodeJS.WritableStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: hidden, censor: '[hidden]' },
    },
    destination,
  );
}

export const silentLog: Log = pino({ level: 'silent' });

import { type Logger, pino, stdTimeFunctions } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Credentials, wherever a record has them at its top or one level down. Headers carry them under many names, so no header is logged. */
const hidden = ['headers', 'authorization', 'api_key'].flatMap((name) => [name, `*.${name}`]);

/** One JSON object a line; control characters in values are escaped by JSON, credentials are replaced. */
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

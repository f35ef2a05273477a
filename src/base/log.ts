import { type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** One JSON object a line; control characters in values are escaped by JSON, credentials are replaced. */
export function createLog(level: string, destination: NodeJS.WritableStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(Date.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['authorization', 'headers.authorization', 'api_key', '*.api_key'], censor: '[hidden]' },
    },
    destination,
  );
}

export const silentLog: Log = pino({ level: 'silent' });

import type { OutputLine } from '../process/output-lines.ts';

/** The line a service writes when it is ready, and any other line of its log. */
export type LogEntry = Record<string, unknown>;

/** Settings that keep a service to a test, on a data folder; its first key is the same everywhere. */
export function testSettings(dataDir: string): Record<string, string> & { ERRAND_BOOTSTRAP_KEY: string } {
  return {
    PATH: process.env.PATH ?? '',
    HOME: dataDir,
    ERRAND_PORT: '0',
    ERRAND_CONTENT_PORT: '0',
    ERRAND_DATA_DIR: dataDir,
    ERRAND_BOOTSTRAP_KEY: `sk-${'T'.repeat(43)}`,
    ERRAND_MODEL: 'offline/offline-1',
  };
}

/** The log entry that a line is, null for what is none. */
export function parseEntry({ source, text }: OutputLine): LogEntry | null {
  if (source !== 'stdout' || !text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as LogEntry;
  } catch {
    return null;
  }
}

/** A line that is a log entry which matches. */
export function isEntry(matches: (entry: LogEntry) => boolean): (line: OutputLine) => boolean {
  return (line) => {
    const entry = parseEntry(line);
    return entry !== null && matches(entry);
  };
}

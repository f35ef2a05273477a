import { readFileSync } from 'node:fs';

const file = new URL('../../../package.json', import.meta.url);

/** The version of this program. */
export const version = String((JSON.parse(readFileSync(file, 'utf8')) as { version: unknown }).version);

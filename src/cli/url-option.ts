import { readWebAddress } from '../config/setting-readers.ts';
import { WrongValue } from '../config/setting.ts';
import type { OptionTable } from './command-shape.ts';
import { UsageFault } from './exit-code.ts';
import type { Shell } from './shell.ts';

export const urlOption = {
  url: { type: 'string', value: 'URL', about: 'Address of the instance (default: ERRAND_URL).' },
} as const satisfies OptionTable;

/** The address of the instance that a command is about. */
export function readUrl({ config }: Pick<Shell, 'config'>, given: string | undefined): string {
  if (given === undefined) {
    if (config.serviceUrl === null) throw new UsageFault('--url is needed where ERRAND_URL is not set');
    return config.serviceUrl;
  }
  try {
    return readWebAddress(given);
  } catch (error) {
    throw error instanceof WrongValue ? new UsageFault(`--url ${error.message}`) : error;
  }
}

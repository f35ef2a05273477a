import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether this user can write to the folder, or create it. */
export function canWriteTo(folder: string): boolean {
  if (!existsSync(folder)) return canWriteTo(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

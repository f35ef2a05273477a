import { readFileSync } from 'node:fs';

/** The text of a kernel-generated file; empty if its process is gone. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

import { existsSync } from 'node:fs';

const place = '/usr/bin/ffmpeg';

/** The machine's FFmpeg, as it is found in the sandbox too; null where there is none. */
export function findFfmpeg(): string | null {
  return existsSync(place) ? place : null;
}

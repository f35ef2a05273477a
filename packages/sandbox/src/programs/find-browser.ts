import { existsSync } from 'node:fs';

/** Where distributions keep the program itself; what is on the path is a script that reads files a sandbox does not have. */
const places = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/lib64/chromium-browser/chromium-browser',
];

/** The machine's Chromium, as it is found in the sandbox too; null where there is none. */
export function findBrowser(): string | null {
  return places.find((place) => existsSync(place)) ?? null;
}

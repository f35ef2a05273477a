import { existsSync } from 'node:fs';

/** Where distributions keep it; all of it is below /usr, so it is found in the sandbox too. */
const places = ['/usr/lib/libreoffice/program/soffice', '/usr/lib64/libreoffice/program/soffice'];

/** The machine's LibreOffice; null where there is none. */
export function findOffice(): string | null {
  return places.find((place) => existsSync(place)) ?? null;
}

import { existsSync } from 'node:fs';

/** Where distributions install the actual executables. All are below /usr, so the path is the same in the sandbox. */
const places = {
  // The shell has no user interface around the page, so it starts within a third of the time. The ones in PATH are scripts that read
  // files missing from a sandbox.
  chromium: [
    '/usr/lib/chromium/chromium-headless-shell',
    '/usr/lib64/chromium-browser/headless_shell',
    '/usr/lib/chromium/chromium',
    '/usr/lib/chromium-browser/chromium-browser',
    '/usr/lib64/chromium-browser/chromium-browser',
  ],
  ffmpeg: ['/usr/bin/ffmpeg'],
  poppler: ['/usr/bin/pdftoppm'],
  libreOffice: ['/usr/lib/libreoffice/program/soffice', '/usr/lib64/libreoffice/program/soffice'],
} as const;

function find(program: keyof typeof places): string | null {
  return places[program].find((place) => existsSync(place)) ?? null;
}

/** The machine's Chromium, without its user interface where that is installed; null if there is none. */
export function findBrowser(): string | null {
  return find('chromium');
}

/** The machine's FFmpeg; null if not installed. */
export function findFfmpeg(): string | null {
  return find('ffmpeg');
}

/** The machine's LibreOffice; null if not installed. */
export function findOffice(): string | null {
  return find('libreOffice');
}

/** The machine's poppler, which draws pages of PDFs; null if not installed. */
export function findPoppler(): string | null {
  return find('poppler');
}

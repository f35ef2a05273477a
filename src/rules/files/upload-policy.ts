import { invalidField } from '@errand/base/fault.ts';
import { extensionOf } from '../artifacts/artifact-type.ts';
import { contentTypeOf, unknownContentType } from './content-type.ts';

/** The limits of uploads (docs/reference/choices.md#limits). */
export const uploadLimits = {
  fileBytes: 512 * 1024 * 1024,
  accountBytes: 10 * 1024 * 1024 * 1024,
  /** Time until the PUT must start. */
  beginMs: 3 * 60 * 1000,
  /** Time until the PUT must end. */
  transferMs: 30 * 60 * 1000,
  retentionMs: 48 * 60 * 60 * 1000,
} as const;

/** Executable files: programs, installers, and shell scripts. */
const refusedExtensions = new Set(
  [
    'exe com scr pif cpl msi msp msix msc dll sys drv ocx lnk reg hta scf inf gadget appx application',
    'bat cmd ps1 psm1 psd1 ps1xml vbs vbe vb wsf wsh ws jse sct',
    'sh bash zsh ksh csh fish command run elf so dylib',
    'dmg pkg app mpkg workflow action deb rpm apk aab ipa xapk snap flatpak appimage jar',
  ].flatMap((line) => line.split(' ')),
);

const longestNameBytes = 255;

/** The filename in a path of any system. */
function baseName(filename: string): string {
  return filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
}

/**
 * The filename given by a client, without folders. Throws 400 naming `field` for an invalid name, and for types that are not
 * accepted.
 */
export function readFilename(field: string, filename: string): string {
  const name = baseName(filename.normalize('NFC')).trim();
  if (name === '' || name === '.' || name === '..') throw invalidField(field, 'must be the name of a file');
  if (!name.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(name)) {
    throw invalidField(field, 'must not contain control or direction characters');
  }
  if (Buffer.byteLength(name) > longestNameBytes) throw invalidField(field, `must have at most ${longestNameBytes} bytes`);
  // Windows ignores dots and spaces at the end of a name.
  const extension = extensionOf(name.replace(/[.\s]+$/u, ''));
  if (extension !== null && refusedExtensions.has(extension)) {
    throw invalidField(field, `files of type .${extension} are not accepted, because they are programs or scripts`);
  }
  return name;
}

/** What clients send for unknown types. */
const sayNothing = new Set([
  '',
  unknownContentType,
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]);

/** A specific MIME type without parameters; null for any other text. */
export function readContentType(given: string | undefined): string | null {
  const essence = given?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,127}$/.test(essence);
  return isType && !sayNothing.has(essence) ? essence : null;
}

/** The MIME type of a file: the one that its name implies, because clients rarely know better. */
export function chooseContentType(filename: string, given: string | undefined): string {
  const promised = contentTypeOf(filename);
  return promised === unknownContentType ? (readContentType(given) ?? promised) : promised;
}

export const fileStatuses = ['pending', 'uploaded', 'deleted', 'error'] as const;
export type FileStatus = (typeof fileStatuses)[number];

export interface FileTimes {
  status: 'pending' | 'uploaded' | 'deleted';
  uploadEndsAtMs: number;
  expiresAtMs: number;
}

/** The status of a file at a time: expiry does not wait for the sweeper. */
export function fileStatusAt({ status, uploadEndsAtMs, expiresAtMs }: FileTimes, nowMs: number): FileStatus {
  if (status === 'uploaded') return nowMs < expiresAtMs ? 'uploaded' : 'deleted';
  if (status === 'deleted') return 'deleted';
  return nowMs < uploadEndsAtMs + uploadLimits.transferMs ? 'pending' : 'error';
}

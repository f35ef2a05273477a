import { extensionOf } from './artifact-type.ts';

/** A larger file is not converted. */
export const maxPdfSourceBytes = 50 * 1024 * 1024;

const endings = new Set('doc docx dot dotx rtf odt ott fodt ppt pptx pps ppsx pot potx odp otp fodp'.split(' '));

const office = 'application/vnd.openxmlformats-officedocument';
const openOffice = 'application/vnd.oasis.opendocument';

const endingByType: ReadonlyMap<string, string> = new Map([
  ['application/msword', 'doc'],
  ['application/rtf', 'rtf'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  [`${office}.wordprocessingml.document`, 'docx'],
  [`${office}.presentationml.presentation`, 'pptx'],
  [`${openOffice}.text`, 'odt'],
  [`${openOffice}.presentation`, 'odp'],
]);

/**
 * The extension with which an office program opens a text document or presentation, by its name, else by its type; null for other
 * files.
 */
export function pdfSourceEnding({ filename, contentType }: { filename: string; contentType: string }): string | null {
  const ending = extensionOf(filename);
  if (ending !== null && endings.has(ending)) return ending;
  return endingByType.get(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '') ?? null;
}

import { openSandbox } from '@errand/sandbox/open-sandbox';
import { findFfmpeg, findOffice } from '@errand/sandbox/programs';
import type { Check, DoctorContext } from './check.ts';

/** Whether LibreOffice can render presentations and older text documents as pages. */
export async function checkOffice({ clock }: DoctorContext): Promise<Check> {
  const name = 'libreoffice';
  const missing = 'no page previews of presentations and of .doc, .odt and .rtf files';
  const program = findOffice();
  if (program === null) {
    const remedy = 'on Debian and Ubuntu: apt-get install libreoffice-impress libreoffice-writer';
    return { name, state: 'missing', found: `${missing}: LibreOffice is not installed`, remedy };
  }
  const { sandbox } = await openSandbox({ clock });
  await sandbox?.close();
  if (sandbox) return { name, state: 'ok', found: `${program} renders presentations and text documents` };
  const found = `${missing}: LibreOffice runs only in the sandbox, which is not available`;
  return { name, state: 'missing', found, remedy: 'see docs/operate/sandbox.md' };
}

/** Whether FFmpeg can create thumbnails of videos, recordings and rarer kinds of pictures. */
export function checkMedia(): Check {
  const name = 'ffmpeg';
  const program = findFfmpeg();
  if (program !== null) return { name, state: 'ok', found: `${program} creates thumbnails of videos and recordings` };
  const found = 'no thumbnails of videos, compressed audio, BMP and HEIC files';
  return { name, state: 'missing', found, remedy: 'on Debian and Ubuntu: apt-get install ffmpeg' };
}

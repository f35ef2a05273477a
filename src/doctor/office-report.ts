import type { Check } from './check-reports.ts';
import { terminalLine } from '../cli/output.ts';
import type { Shell } from '../cli/shell.ts';

/** Whether people see presentations and old text documents as pages. */
export async function checkOffice({ clock }: Shell): Promise<Check> {
  const { tryOffice } = await import('./office-check.ts');
  const name = 'libreoffice';
  const { program, problem } = await tryOffice(clock);
  if (problem === null) return { name, state: 'ok', found: `${program} makes pages of presentations and text documents` };
  const remedy =
    program === null
      ? 'on Debian and Ubuntu: apt-get install libreoffice-impress libreoffice-writer'
      : 'look at docs/operate/sandbox.md';
  const found = `people see only the words of presentations, and download .doc, .odt and .rtf files: ${terminalLine(problem)}`;
  return { name, state: 'missing', found, remedy };
}

/** Whether films, recordings and pictures of rarer kinds get covers. */
export async function checkMedia(): Promise<Check> {
  const { findMediaProgram } = await import('./office-check.ts');
  const program = findMediaProgram();
  if (program !== null) return { name: 'ffmpeg', state: 'ok', found: `${program} makes covers of films and recordings` };
  const found = 'films, compressed sound, bmp and heic have no covers';
  return { name: 'ffmpeg', state: 'missing', found, remedy: 'on Debian and Ubuntu: apt-get install ffmpeg' };
}

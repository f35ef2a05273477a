import { extname } from 'node:path';
import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import type { Generators, MadeFile } from '@errand/documents';
import { officeFields, officeFormats } from '@errand/documents/office-edit-spec';
import type { Press } from '@errand/sandbox/press';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import type { Workspace } from '@errand/sandbox/workspace';
import { lookAtPages } from '../pages/look-at-result.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';
import { makeFiles, readFormat } from './file-generation.ts';

const input = z.strictObject(officeFields);

interface EditedName {
  stem: string;
  /** 1 is not written. */
  number: number;
  ending: string;
}

function writeName({ stem, number, ending }: EditedName): string {
  return `${stem}${number > 1 ? `-${number}` : ''}${ending}`;
}

/** What the result is called if nothing is said: `a-edited` beside `a`, `a-edited-2` beside that. */
function nameEdited(source: string): EditedName {
  const ending = extname(source);
  const stem = source.slice(0, source.length - ending.length);
  const [, name = stem, number] = /^(.*)-edited(?:-(\d{1,4}))?$/.exec(stem) ?? [];
  return { stem: `${name}-edited`, number: name === stem ? 1 : Number(number ?? 1) + 1, ending };
}

function readOutput(source: string, output: string): string {
  const wanted = normaliseWorkspacePath(output);
  const ending = extname(source);
  if (extname(wanted).toLowerCase() !== ending.toLowerCase())
    throw invalidField('output', `must end in ${ending}, as path does.`);
  return wanted;
}

/** The first of the names that is free, or has the same content, as after a crash: other edits are not lost without a word. */
async function findFreeName(workspace: Workspace, name: EditedName, bytes: Uint8Array): Promise<string> {
  for (let { number } = name; ; number++) {
    const path = writeName({ ...name, number });
    const known = await workspace.readStart(path, bytes.length + 1).catch(() => null);
    if (known === null || known.equals(bytes)) return path;
  }
}

/** @param press shows the result; null on a machine without a browser */
export function createEditOffice(generators: Generators, press: Press | null = null): Tool {
  return defineTool({
    name: 'edit_office',
    description: 'Edits a copy of an office file or PDF: all or none.',
    input,
    effect: 'retry',
    reads: 'files',
    summarize: ({ path }) => ({ brief: `Editing ${path}`, action: 'Editing file', param: path }),
    async run({ path, output, ...rest }, context) {
      readFormat(path, officeFormats);
      const source = normaliseWorkspacePath(path);
      const edited = nameEdited(source);
      const named = output === undefined ? source : readOutput(source, output);
      // The original stays, so that a call that is run again after a crash begins with the same file.
      const isNamed = named !== source;
      const stays = output !== undefined && !isNamed ? [`${source} stays as it is.`] : [];
      const wanted = isNamed ? named : writeName(edited);
      const made: string[] = [];
      const place = async (file: MadeFile) => {
        const isWhole = file.path === wanted;
        // A part of a PDF, which is called after its pages.
        const part = { stem: file.path.slice(0, -edited.ending.length), number: 1, ending: edited.ending };
        const name = isWhole ? edited : part;
        const target = isNamed ? file.path : await findFreeName(context.workspace, name, file.bytes);
        made.push(target);
        return target;
      };
      const job = { ...rest, path, output: wanted, nowMs: context.now() };
      const outcome = await makeFiles(generators, 'office', job, context, place);
      const said = [outcome.output, ...stays];
      if (!press) return { ...outcome, output: said.join('\n') };
      const { lines, pictures } = await lookAtPages(press, made[0] ?? wanted, context);
      return { ...outcome, output: [...said, ...lines].join('\n'), ...(pictures.length > 0 && { pictures }) };
    },
  });
}

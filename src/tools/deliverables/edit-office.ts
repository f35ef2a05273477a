import { extname } from 'node:path';
import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import type { Generators } from '@errand/documents';
import { officeFields, officeFormats } from '@errand/documents/office-edit-spec';
import type { Press } from '@errand/sandbox/press';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { lookAtPages } from '../pages/look-at-result.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';
import { makeFiles, readFormat } from './file-generation.ts';

const input = z.strictObject(officeFields);

/** The original stays, so that a call that is run again after a crash begins with the same file. */
function nameOutput(path: string, output: string | undefined): string {
  const source = normaliseWorkspacePath(path);
  const ending = extname(source);
  const stem = source.slice(0, source.length - ending.length);
  const [, name = stem, number] = /^(.*)-edited(?:-(\d{1,4}))?$/.exec(stem) ?? [];
  const next = name === stem ? '' : `-${Number(number ?? 1) + 1}`;
  const wanted = normaliseWorkspacePath(output ?? `${name}-edited${next}${ending}`);
  if (wanted === source) throw invalidField('output', 'must be another file than path, so that the original stays.');
  if (extname(wanted).toLowerCase() !== ending.toLowerCase())
    throw invalidField('output', `must end in ${ending}, as path does.`);
  return wanted;
}

/** @param press shows the result; null on a machine without a browser */
export function createEditOffice(generators: Generators, press: Press | null = null): Tool {
  return defineTool({
    name: 'edit_office',
    description: 'Edits a copy of a Word, Excel, or PowerPoint file and keeps all else in it; makes all edits in order, or none.',
    input,
    effect: 'retry',
    reads: 'files',
    account: ({ path }) => ({ brief: `Editing ${path}`, action: 'Editing file', param: path }),
    async run({ path, output, ...wanted }, context) {
      readFormat(path, officeFormats);
      const made = nameOutput(path, output);
      const outcome = await makeFiles(generators, 'office', { ...wanted, path, output: made, nowMs: context.now() }, context);
      if (!press) return outcome;
      const { lines, pictures } = await lookAtPages(press, made, context);
      return { ...outcome, output: [outcome.output, ...lines].join('\n'), ...(pictures.length > 0 && { pictures }) };
    },
  });
}

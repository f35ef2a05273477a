import { z } from 'zod';
import type { Generators } from '@errand/documents';
import { editFields, pictureFormats } from '@errand/documents/picture-edit-spec';
import { makeFiles, readFormat } from './file-generation.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

const input = z.strictObject(editFields);

export function createEditImage(generators: Generators): Tool {
  return defineTool({
    name: 'edit_image',
    description: 'Edits or converts a picture.',
    input,
    effect: 'retry',
    summarize: ({ image }) => ({ brief: `Editing ${image}`, action: 'Editing image', param: image }),
    async run(wanted, context) {
      const format = readFormat(wanted.output, pictureFormats, 'output');
      return await makeFiles(generators, 'picture', { ...wanted, format }, context);
    },
  });
}

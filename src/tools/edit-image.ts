import { z } from 'zod';
import type { Makers } from '../makers/maker-threads.ts';
import { editFields, pictureFormats } from '../makers/picture/edit-spec.ts';
import { makeFiles, readFormat } from './file-making.ts';
import { defineTool, type Tool } from './tool.ts';

const input = z.strictObject(editFields);

export function createEditImage(makers: Makers): Tool {
  return defineTool({
    name: 'edit_image',
    description: `Changes a picture of the workspace: size, part, turn, colours, blur, writing on it, boxes, other pictures on it, margins; or converts it.
Operations are done in their order, each on what the one before it made; coordinates are pixels of the picture at that point. It draws and converts; it does not generate pictures from a description.
Up to 32 million pixels and 40 operations; of animations the first picture. The result tells its size.
Example: {"image": "photo.jpg", "output": "card.webp", "operations": [{"do": "resize", "width": 1200, "height": 630, "fit": "cover"}, {"do": "adjust", "brightness": 0.8}, {"do": "text", "text": "Open on Sunday", "size": 72, "bold": true, "at": "bottom-left"}]}.`,
    input,
    effect: 'retry',
    account: ({ image }) => ({ brief: `Editing ${image}`, action: 'Editing image', param: image }),
    async run(wanted, context) {
      const format = readFormat(wanted.output, pictureFormats, 'output');
      return await makeFiles(makers, 'picture', { ...wanted, format }, context);
    },
  });
}

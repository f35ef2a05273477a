import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import type { Generators } from '@errand/documents';
import { normaliseWorkspacePath } from '@errand/sandbox/workspace-path';
import { type PictureRequest, pictureQualities, pictureShapes } from '../../models/pictures/picture-request.ts';
import { readImageHead } from '../../rules/files/image-head.ts';
import { showPicture } from '../toolbox/show-picture.ts';
import { defineTool, type PictureResult, type Tool, type ToolContext, type ToolOutcome } from '../toolbox/tool.ts';
import { readFormat, writeMade } from './file-generation.ts';

const formats = ['png', 'jpg', 'jpeg', 'webp'] as const;
const mostSources = 4;
const mostSourceBytes = 50_000_000;
/** Larger than what image models send in the sizes that are ordered. */
const likelyBytes = 8 * 1024 * 1024;

const input = z.strictObject({
  path: z.string().describe('Ends in .png, .jpg, or .webp.'),
  prompt: z
    .string()
    .min(1)
    .max(8_000)
    .describe('Subject, setting, style, colors, light, and framing; with images, what to change and what to keep.'),
  images: z.array(z.string()).max(mostSources).default([]).describe('Pictures of the workspace to change or combine.'),
  shape: z.enum(pictureShapes).default('landscape'),
  quality: z.enum(pictureQualities).default('medium').describe('High costs several times as much.').meta({ disclosure: 'later' }),
});

/** The pictures to change in a form that providers take: bounded, and without what cameras write into them. */
async function readSources(paths: readonly string[], generators: Generators, context: ToolContext): Promise<Uint8Array[]> {
  const { accountId: owner, workspace, signal } = context;
  const sources: Uint8Array[] = [];
  for (const path of paths) {
    const readFile = () => workspace.read(path, mostSourceBytes);
    const { files } = await generators.make('view', { path }, { owner, readFile, signal });
    const [file] = files;
    if (!file) throw invalidField('images', `"${path}" is no picture that can be read.`);
    sources.push(file.bytes);
  }
  return sources;
}

function failure(problem: string): ToolOutcome {
  return { status: 'error', output: `No picture was made: ${problem}.` };
}

/** Why a picture would not fit into the workspace; null if it does. One that cannot be stored would be paid in vain. */
async function findLackOfSpace({ quota }: ToolContext['workspace']): Promise<string | null> {
  try {
    await quota?.check(likelyBytes, 1);
    return null;
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'resource_exhausted') throw error;
    return `there is no room for it, so it was not ordered. ${error.message.replace(/\.$/, '')}`;
  }
}

/** Asks the image model for a picture. */
async function requestPicture(request: PictureRequest, { workspace, makePicture }: ToolContext): Promise<PictureResult> {
  if (!makePicture) return { problem: 'no image model is configured' };
  return makePicture(request, () => findLackOfSpace(workspace));
}

const pictureTypes: readonly (string | undefined)[] = ['image/png', 'image/jpeg', 'image/webp'];

/** Decodes and redraws what the model sent, which is untrusted, and writes the drawn picture into the workspace. */
async function writePicture(
  path: string,
  made: { model: string; bytes: Uint8Array },
  generators: Generators,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { accountId: owner, signal } = context;
  if (!pictureTypes.includes(readImageHead(Buffer.from(made.bytes))?.type)) {
    return failure(`${made.model} sent what is no usable picture (neither PNG, JPEG, nor WebP)`);
  }
  const job = { image: 'the picture', output: path, operations: [], quality: 90, format: readFormat(path, formats) };
  try {
    const readFile = () => Promise.resolve(made.bytes);
    const drawn = await generators.make('picture', job, { owner, readFile, signal });
    const outcome = await writeMade(drawn, context);
    const pictures = await showPicture(normaliseWorkspacePath(path), context);
    const advice = 'Look at it before you use it, above all at words and faces in it.';
    return { ...outcome, output: `${outcome.output}\nBy ${made.model}. ${advice}`, pictures };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Fault) || error.code === 'internal') throw error;
    return failure(`${made.model} sent what is no usable picture (${error.message.replace(/\.$/, '')})`);
  }
}

export function createMakeImage(generators: Generators): Tool {
  return defineTool({
    name: 'make_image',
    description:
      'Makes a photograph or an illustration with an image model, or changes pictures. Each call costs; charts and diagrams: make_chart.',
    input,
    // A picture that was ordered is found in the log by the id of its call.
    effect: 'keyed',
    needs: 'images',
    summarize: ({ path }) => ({ brief: `Making ${path}`, action: 'Making image', param: path }),
    async run({ path, prompt, images, shape, quality }, context) {
      readFormat(path, formats);
      const sources = await readSources(images, generators, context);
      const made = await requestPicture({ prompt, shape, quality, sources }, context);
      if ('problem' in made) return failure(made.problem);
      const outcome = await writePicture(path, made, generators, context);
      return images.length === 0 ? outcome : { ...outcome, readsFiles: true };
    },
  });
}

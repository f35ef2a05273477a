import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { createGenerators } from '@errand/documents';
import { openWorkspace, type Workspace } from '@errand/sandbox/workspace';
import type { PictureRequest } from '../../models/pictures/picture-request.ts';
import type { PictureResult } from '../toolbox/tool.ts';
import { createMakeImage } from './make-image.ts';

const tool = createMakeImage(createGenerators(systemClock));
const model = 'openai/gpt-image-2';
let workspace: Workspace;

beforeEach(() => {
  workspace = openWorkspace(createFolder('image'));
});

afterEach(() => removeFolder(workspace.root));

const flat = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#08f' } });

async function make(result: PictureResult, input: Record<string, unknown> = {}) {
  const requests: PictureRequest[] = [];
  const makePicture = async (request: PictureRequest, findObstacle: () => Promise<string | null>) => {
    const problem = await findObstacle();
    if (problem !== null) return { problem };
    requests.push(request);
    return result;
  };
  const asked = tool.input.parse({ path: 'hero.jpg', prompt: 'A harbor', ...input });
  const outcome = await tool.run(asked, { ...toolContext(workspace), makePicture });
  return { outcome, requests };
}

/** A PNG of 60,000 by 60,000 pixels in a few hundred bytes. */
function bomb(): Buffer {
  const crc = (bytes: Buffer) => {
    let sum = 0xffffffff;
    for (const byte of bytes) {
      sum ^= byte;
      for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return (sum ^ 0xffffffff) >>> 0;
  };
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.from([0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60, 8, 2, 0, 0, 0]);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    ...[signature, chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.alloc(100))), chunk('IEND', Buffer.alloc(0))],
  ]);
}

describe('make_image', () => {
  it('writes the picture in the format of its path and says which model made it', async () => {
    const { outcome, requests } = await make({ model, bytes: await flat(1536, 1024).png().toBuffer() });
    expect(outcome).toMatchObject({
      status: 'success',
      output: expect.stringMatching(/hero\.jpg.*\nBy openai\/gpt-image-2/s) as string,
    });
    expect(await sharp(await workspace.read('hero.jpg')).metadata()).toMatchObject({ format: 'jpeg', width: 1536, height: 1024 });
    expect(requests).toEqual([{ prompt: 'A harbor', shape: 'landscape', quality: 'medium', sources: [] }]);
  });

  it('requests nothing that could not be stored', async () => {
    let isFull = true;
    const check = () =>
      isFull ? Promise.reject(new Fault('resource_exhausted', 'Not written, because the workspace is full.')) : Promise.resolve();
    const usual = { limit: { bytes: 1, entries: 1 }, text: '', prepare: () => Promise.resolve(), allows: () => true };
    const rest = { finish: () => Promise.resolve(), claim: () => Promise.resolve() };
    workspace = { ...workspace, quota: { ...usual, ...rest, hold: () => Promise.reject(new Error('no sandbox')), check } };
    const picture = { model, bytes: await flat(10, 10).png().toBuffer() };
    const refused = await make(picture);
    expect(refused.requests).toEqual([]);
    expect(refused.outcome).toEqual({
      status: 'error',
      output: 'No picture was made: there is no room for it, so it was not ordered. Not written, because the workspace is full.',
    });
    isFull = false;
    const made = await make(picture);
    expect(made.outcome.status).toBe('success');
    expect(made.requests).toHaveLength(1);
  });

  it('sends pictures to be changed in bounded size and without what cameras write into them', async () => {
    const gps = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };
    await workspace.write('photo.jpg', await flat(4000, 3000).withExif(gps).jpeg().toBuffer());
    const { requests, outcome } = await make({ model, bytes: await flat(10, 10).png().toBuffer() }, { images: ['photo.jpg'] });
    const facts = await sharp(requests[0]?.sources[0]).metadata();
    expect(facts.width).toBeLessThanOrEqual(1568);
    expect(facts.exif).toBeUndefined();
    expect(outcome.readsFiles).toBe(true);
  });

  it.each([
    ['words', Buffer.from('<html>not a picture</html>')],
    [
      'a drawing that reads files',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
    ],
    ['a picture of 3.6 billion pixels', bomb()],
    ['half a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
  ])('writes nothing if the model sent %s', async (_, bytes) => {
    const { outcome } = await make({ model, bytes });
    expect(outcome).toMatchObject({
      ...{ status: 'error', output: expect.stringContaining('sent what is no usable picture') as string },
    });
    expect(await workspace.list('.', 1)).toEqual([]);
  });

  it('passes on why there is no picture, and requests none for a path that no picture can have', async () => {
    const problem = `${model}: the request was refused (400): Rejected by the safety system`;
    expect((await make({ problem })).outcome).toEqual({ status: 'error', output: `No picture was made: ${problem}.` });
    await expect(make({ problem }, { path: 'hero.svg' })).rejects.toThrow('must end in .png or .jpg');
    await expect(make({ problem }, { images: ['none.png'] })).rejects.toThrow('none.png');
  });
});

import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { createGenerators } from '@errand/documents';
import { openWorkspace, type Workspace } from '@errand/sandbox/workspace';
import { createEditImage } from './edit-image.ts';

const tool = createEditImage(createGenerators(systemClock));
let workspace: Workspace;

beforeEach(async () => {
  workspace = openWorkspace(createFolder('picture'));
  await workspace.write('red.png', await flat(100, 50, '#ff0000'));
});

afterEach(() => removeFolder(workspace.root));

function flat(width: number, height: number, background: string): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

async function edit(operations: unknown[], output = 'out.png', image = 'red.png') {
  return await tool.run(tool.input.parse({ image, output, operations }), toolContext(workspace));
}

/** The color at a position of the result, as `#rrggbbaa`. */
async function colorAt(x: number, y: number, path = 'out.png'): Promise<string> {
  const one = sharp(await workspace.read(path))
    .ensureAlpha()
    .extract({ left: x, top: y, width: 1, height: 1 });
  return `#${(await one.raw().toBuffer()).toString('hex')}`;
}

describe('edit_image', () => {
  it('applies operations in order', async () => {
    const outcome = await edit([
      { do: 'crop', left: 0, top: 0, width: 50, height: 50 },
      { do: 'resize', width: 200 },
      { do: 'box', left: 0, top: 0, width: 100, height: 200, color: '#0000ff' },
      { do: 'rotate', degrees: 90 },
      { do: 'extend', bottom: 10, color: '#00ff00' },
    ]);
    expect(outcome.output).toBe(`Made out.png (${(await workspace.read('out.png')).length} bytes).\n200 by 210 pixels.`);
    expect(await Promise.all([colorAt(100, 10), colorAt(100, 150), colorAt(5, 205)])).toEqual([
      '#0000ffff',
      '#ff0000ff',
      '#00ff00ff',
    ]);
  });

  it('adjusts, flips, draws text, and overlays pictures', async () => {
    await workspace.write('blue.png', await flat(20, 20, '#0000ff'));
    await edit([{ do: 'adjust', saturation: 0, invert: true }], 'grey.png');
    expect(await colorAt(3, 3, 'grey.png')).toMatch(/^#(..)\1\1ff$/);
    await edit([
      { do: 'overlay', image: 'blue.png', left: -10, top: 40 },
      { do: 'flip', axis: 'vertical' },
    ]);
    expect(await Promise.all([colorAt(5, 5), colorAt(15, 5)])).toEqual(['#0000ffff', '#ff0000ff']);
    await edit([{ do: 'text', text: '<b>&\u0007 Größe 大', size: 20, background: '#000000', at: 'top-left' }]);
    expect(await colorAt(3, 3)).not.toBe('#ff0000ff');
  });

  it('converts between formats', async () => {
    for (const format of ['jpg', 'webp', 'avif', 'gif', 'tiff']) {
      await edit([], `a.${format}`);
      const { width, height } = await sharp(await workspace.read(`a.${format}`)).metadata();
      expect([width, height], format).toEqual([100, 50]);
    }
  });

  it('names the operation that failed', async () => {
    await workspace.write('big.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="7000" height="7000"/>');
    await workspace.write('cut.png', (await flat(300, 300, '#123456')).subarray(0, 400));
    const wrong: [() => Promise<unknown>, string][] = [
      [
        () => edit([{ do: 'crop', left: 90, width: 20, height: 5 }]),
        'operations.0 (crop): left: the part reaches out of the picture, which is 100 by 50',
      ],
      [() => edit([{ do: 'blur' }, { do: 'resize' }]), 'operations.1 (resize): width: give width, height or both'],
      [() => edit([{ do: 'resize', width: 8_000, height: 8_000 }]), 'more than 32000000 pixels'],
      [() => edit([{ do: 'resize', height: 8_000 }]), 'more than 32000000 pixels'],
      [() => edit([{ do: 'rotate' }]), 'operations.0 (rotate): degrees: is missing'],
      [() => edit([{ do: 'overlay', image: '../x.png' }]), 'leads out of the workspace'],
      [() => edit([{ do: 'overlay', image: 'red.png', left: 500 }]), 'would lie outside'],
      [() => edit([], 'out.bmp'), 'output: "out.bmp" must end in'],
      [() => edit([], 'out.png', 'big.svg'), 'more than 32000000 pixels'],
      [() => edit([], 'out.png', 'cut.png'), 'image: "cut.png"'],
    ];
    for (const [attempt, problem] of wrong) await expect(attempt(), problem).rejects.toThrow(problem);
  });

  it('loads nothing that a picture refers to', async () => {
    const outside = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="50">
<image width="100" height="50" xlink:href="file://${workspace.root}/red.png"/><image width="100" height="50" href="red.png"/></svg>`;
    await workspace.write('outside.svg', outside);
    await edit([], 'out.png', 'outside.svg');
    expect(await colorAt(50, 25)).toBe('#00000000');
  });
});

import type { Press } from '@errand/sandbox/press';
import { looksFolder } from '../pages/look-at-result.ts';
import { createPressRequest } from '../pages/page-request.ts';
import type { ToolContext } from '../toolbox/tool.ts';

/** Pixels per unit: drawings stay sharp on high-density screens. */
const zoom = 2;

/** A drawing of our own as PNG without a ground, in the fonts that it has with it: only the browser reads their form. */
export async function photographDrawing(
  press: Press,
  svg: string,
  { accountId: owner, workspace, signal, callId }: ToolContext,
): Promise<Uint8Array> {
  const [width, height] = [...(/viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"/.exec(svg) ?? [])]
    .slice(1)
    .map(Number)
    .map(Math.ceil);
  if (!width || !height) throw new Error('a drawing says its size');
  const style = 'body { margin: 0 } svg { display: block; width: 100%; height: auto }';
  const html = `<!doctype html><html lang="en"><head><title>Drawing</title><style>${style}</style></head><body>${svg}</body></html>`;
  const place = `${looksFolder}/drawing-${callId.replaceAll(/[^\w-]/g, '').slice(0, 80)}`;
  const usual = createPressRequest({ page: { html }, view: 'desktop', pictures: place, mostPictures: 1 });
  const window = { width, height, isPhone: false };
  await press.run({ ...usual, window, pictureWidth: width * zoom, isDrawing: true }, { workspace, owner, signal });
  const bytes = await workspace.read(`${place}-1.png`);
  await workspace.remove(`${place}-1.png`);
  return bytes;
}

import type { SeenPicture } from '../../rules/events/seen-picture.ts';
import { Fault } from '@errand/base/fault.ts';
import type { ToolContext } from './tool.ts';

/** Larger images have to be reduced with edit_image. */
const largestBytes = 50 * 1024 * 1024;

/** What a model without vision reads where others are shown a picture; nothing for those. */
export function noteUnseen({ show }: Pick<ToolContext, 'show'>): string[] {
  return show
    ? []
    : ['You cannot see pictures: go by the words of results, and tell the user that nobody has looked at the pages.'];
}

/** Shows an image of the workspace to the model, if it has vision and the file can be shown. */
export async function showPicture(path: string, { workspace, show, signal }: ToolContext): Promise<SeenPicture[]> {
  if (!show) return [];
  try {
    const seen = await show(path, await workspace.read(path, largestBytes));
    return seen ? [seen] : [];
  } catch (error) {
    signal.throwIfAborted();
    // The image is an addition; the result is useful without it.
    if (error instanceof Fault) return [];
    throw error;
  }
}

import type { SeenPicture } from '../../rules/events/seen-picture.ts';
import { Fault } from '@errand/base/fault.ts';
import type { ToolContext } from './tool.ts';

/** Larger ones are for edit_image to make smaller. */
const largestBytes = 50 * 1024 * 1024;

/** Lets the model see a picture of the workspace, if it can see and the file can be shown. */
export async function showPicture(path: string, { workspace, show, signal }: ToolContext): Promise<SeenPicture[]> {
  if (!show) return [];
  try {
    const seen = await show(path, await workspace.read(path, largestBytes));
    return seen ? [seen] : [];
  } catch (error) {
    signal.throwIfAborted();
    // It is a look beside the result, which is worth having without it.
    if (error instanceof Fault) return [];
    throw error;
  }
}

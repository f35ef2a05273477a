import type { Blobs } from '../store/blobs/blobs.ts';
import { createDeliver } from './deliver.ts';
import { createPublishWebsite } from './publish-website.ts';
import type { Tool } from './tool.ts';

/** The tools that give results to the user, which are kept as blobs. */
export function resultTools(blobs: Blobs): Tool[] {
  return [createDeliver(blobs), createPublishWebsite(blobs)];
}

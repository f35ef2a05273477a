import type { Blobs } from '../store/blobs/blobs.ts';
import { createDeliver } from './deliverables/deliver.ts';
import { createPublishWebsite } from './deliverables/publish-website.ts';
import type { Tool } from './toolbox/tool.ts';

/** The tools that give results to the user, which are kept as blobs. */
export function resultTools(blobs: Blobs): Tool[] {
  return [createDeliver(blobs), createPublishWebsite(blobs)];
}

import type { Press } from '@errand/sandbox/press';
import type { Blobs } from '../store/blobs/blobs.ts';
import { createDeliver } from './deliverables/deliver.ts';
import { createPublishWebsite } from './deliverables/publish-website.ts';
import type { Tool } from './toolbox/tool.ts';

/** The tools that deliver results to the user, stored as blobs. */
export function resultTools(blobs: Blobs, press: Press | null = null): Tool[] {
  return [createDeliver(blobs, press), createPublishWebsite(blobs)];
}

import type { Press } from '@errand/sandbox/press';
import type { Blobs } from '../store/blobs/blobs.ts';
import { createDeliver } from './deliverables/deliver.ts';
import { createPublishWebsite } from './deliverables/publish-website.ts';
import type { Tool } from './toolbox/tool.ts';

interface ResultParts {
  blobs: Blobs;
  /** Null on a machine without a browser. */
  press: Press | null;
  /** URL of the origin of files and sites; null before a process has served it. */
  findContentUrl(): Promise<string | null>;
}

/** The tools that deliver results to the user, stored as blobs. */
export function resultTools({ blobs, press, findContentUrl }: ResultParts): Tool[] {
  return [createDeliver(blobs, press), createPublishWebsite(blobs, findContentUrl)];
}

import type { Press } from '@errand/sandbox/press';
import { createDeliver } from './deliverables/deliver.ts';
import { createPublishWebsite } from './deliverables/publish-website.ts';
import type { ResultStore } from './deliverables/result-store.ts';
import type { Tool } from './toolbox/tool.ts';

interface ResultParts extends ResultStore {
  /** Null on a machine without a browser. */
  press: Press | null;
  /** URL of the origin of files and sites; null before a process has served it. */
  findContentUrl(): Promise<string | null>;
}

/** The tools that deliver results to the user, stored as blobs. */
export function resultTools({ press, findContentUrl, ...store }: ResultParts): Tool[] {
  return [createDeliver(store, press), createPublishWebsite(store, findContentUrl)];
}

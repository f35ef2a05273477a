import { z } from 'zod';
import { defineTool, type Tool } from '../toolbox/tool.ts';
import { browserStep } from './browser-step.ts';
import type { BrowserParts, openBrowsing } from './browsing.ts';

export type { BrowserParts } from './browsing.ts';

const input = z.strictObject({
  actions: z.array(browserStep).min(1).max(20),
});

/** The machine's Chromium, driven from inside a sandbox of its own: outside, page data is only handled as text. */
export function createUseBrowser(parts: BrowserParts): Tool {
  let browsing: Promise<ReturnType<typeof openBrowsing>> | null = null;
  /** What runs browsers is loaded with the first. */
  const findBrowsing = async () => (await import('./browsing.ts')).openBrowsing(parts);
  return defineTool({
    name: 'use_browser',
    description: 'A browser that stays open; shows the page with references.',
    input,
    effect: 'repeat',
    reads: 'web',
    echoes: true,
    summarize: ({ actions }) => {
      const opened = actions.find((action) => action.do === 'open');
      return { brief: opened ? `Browsing ${opened.url}` : 'Browsing', action: 'Browsing', param: opened?.url ?? '' };
    },
    run: async ({ actions }, context) => (await (browsing ??= findBrowsing()))(actions, context),
  });
}

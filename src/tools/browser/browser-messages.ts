import { z } from 'zod';
import type { WorkspaceSite } from '@errand/sandbox/drivers';
import { type BrowserInput, browserPicture } from '../../rules/browser/live-browser.ts';
import type { BrowserStep } from './browser-step.ts';

/** A cookie, as the browser's library describes it. */
export interface KeptCookie {
  name: string;
  value: string;
  domain: string;
  path: string;
  expires: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'Strict' | 'Lax' | 'None';
}

export type KeptItems = { name: string; value: string }[];

export interface KeptTab {
  url: string;
  scroll: [x: number, y: number];
  /** Session storage, by origin. */
  storage: { origin: string; items: KeptItems }[];
}

/** What of a browser outlasts its processes. It comes from pages, and only ever goes back to a browser in the sandbox. */
export interface BrowserSession {
  cookies: KeptCookie[];
  /** Local storage. */
  origins: { origin: string; localStorage: KeptItems }[];
  tabs: KeptTab[];
  active: number;
  viewport: { width: number; height: number };
}

/** Where the driver works, and from what it begins. */
export interface BrowserRequest {
  /** Path of the Chromium executable. */
  program: string;
  proxy: string;
  workspace: string;
  /** What shows the workspace as an origin of its own. */
  site: WorkspaceSite & { host: string };
  session: BrowserSession | null;
}

/** A call, as the driver receives it: the address of a page of the workspace is complete. */
export interface BrowserCall {
  steps: readonly BrowserStep[];
  /** Whether files of the workspace may be shown, from this call on. */
  opensWorkspace: boolean;
  /** After this time, no further step begins. */
  budgetMs: number;
}

/** What people who look at the browser want of its driver; it comes beside the calls. */
export type LiveCommand = { do: 'watch'; on: boolean } | { do: 'input'; inputs: readonly BrowserInput[] } | { do: 'release' };

/** A picture for them, which comes beside the reports. */
export const pictureLine = z.object({ picture: browserPicture });
export type PictureLine = z.infer<typeof pictureLine>;

/** The outcome, and what the browser shows now. It comes out of the sandbox, so its form is checked. */
export const browserReport = z.object({
  /** A line for each step performed. */
  done: z.array(z.string()),
  /** Why the next step failed; null if all succeeded. */
  problem: z.string().nullable(),
  /** What happened besides: dialogs, downloads, windows, crashes. */
  notes: z.array(z.string()),
  tabs: z.array(z.object({ url: z.string(), title: z.string() })),
  active: z.number(),
  /** What the page shows, in the part that was asked for; null if none is open. */
  page: z.object({ text: z.string(), part: z.number(), parts: z.number() }).nullable(),
  /** How many tabs were loaded again from what was kept; 0 if this is not the first call of the browser. */
  restored: z.number(),
  session: z.custom<BrowserSession>((value) => typeof value === 'object' && value !== null),
});
export type BrowserReport = z.infer<typeof browserReport>;

/** How a call of the browser went. */
export interface Browsed {
  report: BrowserReport;
  /** Whether what it shows may contain files of the workspace. */
  hasReadFiles: boolean;
  isKept: boolean;
  /** Whether the workspace has room for what it stored there. */
  isWithinQuota: boolean;
  /** The limit that ended it between the calls. */
  exceeded: 'memory' | 'disk' | null;
}

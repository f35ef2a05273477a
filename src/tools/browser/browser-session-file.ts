import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { SealBroken, type SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Workspace } from '@errand/sandbox/workspace';
import { browserFolder } from '../toolbox/closed-folders.ts';
import type { BrowserSession } from './browser-messages.ts';

/** Sealed: commands find a text there that tells them nothing and that they cannot change. */
const path = `${browserFolder}/session`;
/** Somewhat more than what the driver keeps of a browser. */
const mostBytes = 4 * 1024 * 1024;

const stored = z.object({
  session: z.custom<BrowserSession>((value) => typeof value === 'object' && value !== null),
  hosts: z.array(z.string()),
  hasReadFiles: z.boolean(),
});

/** What of a task's browser outlasts its processes. */
export interface KeptBrowser {
  session: BrowserSession;
  /** The hosts that it has connected to. */
  hosts: readonly string[];
  /** Whether it has shown or sent files of the workspace. */
  hasReadFiles: boolean;
}

export interface SessionPlace {
  accountId: string;
  taskId: string;
  workspace: Workspace;
}

/** The file of the workspace, with which it moves and is deleted, that holds the session of its task's browser. */
export class BrowserSessionFile {
  readonly #box: Pick<SealedBox, 'seal' | 'open'>;
  #written = '';

  constructor(box: Pick<SealedBox, 'seal' | 'open'>) {
    this.#box = box;
  }

  /** Null if there is none, or none that this instance has written for this task. */
  async read(place: SessionPlace): Promise<KeptBrowser | null> {
    try {
      const text = this.#box.open((await place.workspace.read(path, mostBytes)).toString('latin1'), seat(place));
      this.#written = text;
      return stored.parse(JSON.parse(text));
    } catch (error) {
      if (error instanceof Fault || error instanceof SealBroken || error instanceof z.ZodError) return null;
      throw error;
    }
  }

  /** False if it cannot be written, as on a full disk. */
  async write(place: SessionPlace, kept: KeptBrowser): Promise<boolean> {
    const text = JSON.stringify(kept);
    if (text === this.#written) return true;
    try {
      const sealed = this.#box.seal(text, seat(place));
      if (sealed.length > mostBytes) return false;
      await place.workspace.write(path, sealed);
      this.#written = text;
      return true;
    } catch (error) {
      if (error instanceof Fault) return false;
      throw error;
    }
  }
}

function seat({ accountId, taskId }: SessionPlace): string {
  return `browser session ${accountId} ${taskId}`;
}

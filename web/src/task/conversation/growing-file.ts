import type { OutputDelta } from '@errand/client';

/** A file that the agent is writing, or has just written. */
export interface GrowingFile {
  actionId: string;
  path: string;
  /** The newest part of its text. */
  text: string;
  /** Whether text before it was missed, or is no longer kept. */
  isCut: boolean;
  /** Whether the call that writes it has ended. */
  isWritten: boolean;
}

/** More of a file would be slow to show while it grows. */
const mostCharacters = 20_000;

/** The file that grows: the newest one of which pieces came. Pieces have offsets, so duplicates are dropped and gaps noticed. */
export class GrowingFiles {
  /** Null until one is written. */
  current: GrowingFile | null = null;
  #end = 0;

  /** Adds a piece; false when it changes nothing. */
  add({ action_id: actionId, tool, at, text, path }: OutputDelta): boolean {
    if (path === undefined || text === '') return false;
    const known = this.current?.actionId === actionId && at > 0 ? this.current : null;
    if (known && (known.isWritten || at + text.length <= this.#end)) return false;
    const goesOn = known !== null && at <= this.#end;
    const all = goesOn ? known.text + text.slice(this.#end - at) : text;
    this.#end = at + text.length;
    this.current = {
      actionId,
      path,
      text: all.slice(-mostCharacters),
      // Of an edited file, only the new passage is known.
      isCut: all.length > mostCharacters || tool === 'edit_file' || (goesOn ? known.isCut : at > 0),
      isWritten: false,
    };
    return true;
  }

  /** The call has ended. */
  finish(actionId: string): void {
    if (this.current?.actionId === actionId) this.current = { ...this.current, isWritten: true };
  }

  /** The turn is over. */
  clear(): void {
    this.current = null;
  }
}

import type { BrowserInput } from './input-queue.ts';

/** Keys that are sent by their names; all others as the character that they write. */
const named = /^(?:Enter|Tab|Backspace|Delete|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right))$/;

export interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  getModifierState(key: 'AltGraph'): boolean;
}

/** What a key does in the browser of the agent; null for those that stay here. */
export function readKey(pressed: PressedKey): BrowserInput | null {
  const { key, altKey } = pressed;
  // The third level of a keyboard, such as the @ of a German one, comes as Control and Alt together.
  const isCommand = (pressed.ctrlKey || pressed.metaKey) && !pressed.getModifierState('AltGraph');
  const modifiers = `${pressed.shiftKey ? 'Shift+' : ''}${isCommand ? 'Control+' : ''}`;
  if (named.test(key)) return { do: 'press', keys: `${modifiers}${key}` };
  if (!/^.$/u.test(key)) return null;
  if (!isCommand) return { do: 'type', text: key };
  // What is pasted comes with its text.
  return !altKey && /^[acxz]$/i.test(key) ? { do: 'press', keys: `${modifiers}${key.toLowerCase()}` } : null;
}

export interface Point {
  clientX: number;
  clientY: number;
}

interface Size {
  width: number;
  height: number;
}

/** Where on the page that a picture shows; null while there is no picture. */
export function findPlace({ clientX, clientY }: Point, box: DOMRect | undefined, { width, height }: Size) {
  if (!box || box.width === 0) return null;
  const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), most));
  return {
    x: within(((clientX - box.left) / box.width) * width, width),
    y: within(((clientY - box.top) / box.height) * height, height),
  };
}

/** A finger moves less than this when it taps. */
const slopPx = 8;

/** How far the page follows a finger that is drawn over its picture. */
export class DragScroll {
  #last: Point | null = null;
  #isScrolling = false;

  begin({ clientX, clientY }: Point): void {
    this.#last = { clientX, clientY };
    this.#isScrolling = false;
  }

  /** How far the finger has scrolled, in pixels of the screen; null while it does not scroll. */
  move({ clientX, clientY }: Point): { byX: number; byY: number } | null {
    if (!this.#last) return null;
    const moved = { byX: this.#last.clientX - clientX, byY: this.#last.clientY - clientY };
    this.#isScrolling ||= Math.hypot(moved.byX, moved.byY) > slopPx;
    if (!this.#isScrolling) return null;
    this.#last = { clientX, clientY };
    return moved;
  }

  end(): void {
    this.#last = null;
  }
}

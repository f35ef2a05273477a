import { describe, expect, it } from 'vitest';
import { DragScroll, type PressedKey, readKey } from './read-input.ts';

const press = (key: string, held: Partial<PressedKey> = {}, isThirdLevel = false) =>
  readKey({
    ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
    ...held,
    getModifierState: () => isThirdLevel,
  });

describe('a key', () => {
  it('is sent as what it writes, or by its name with what is held', () => {
    expect(press('A', { shiftKey: true })).toEqual({ do: 'type', text: 'A' });
    expect(press('Tab', { shiftKey: true })).toEqual({ do: 'press', keys: 'Shift+Tab' });
    expect(press('c', { metaKey: true })).toEqual({ do: 'press', keys: 'Control+c' });
    expect(press('Z', { ctrlKey: true, shiftKey: true })).toEqual({ do: 'press', keys: 'Shift+Control+z' });
    expect(press('@', { ctrlKey: true, altKey: true }, true)).toEqual({ do: 'type', text: '@' });
  });

  it('stays here if it means the page around, or nothing by itself', () => {
    for (const key of ['Escape', 'F5', 'Dead', 'Shift']) expect([key, press(key)]).toEqual([key, null]);
    for (const key of ['v', 'r', 't']) expect([key, press(key, { ctrlKey: true })]).toEqual([key, null]);
  });
});

describe('a finger on the picture', () => {
  const at = (clientX: number, clientY: number) => ({ clientX, clientY });

  it('scrolls the page by as much as it moves, once it is more than a tap', () => {
    const drag = new DragScroll();
    expect(drag.move(at(0, 0))).toBeNull();
    drag.begin(at(100, 100));
    expect(drag.move(at(103, 96))).toBeNull();
    expect(drag.move(at(100, 80))).toEqual({ byX: 0, byY: 20 });
    expect(drag.move(at(98, 81))).toEqual({ byX: 2, byY: -1 });
    drag.end();
    expect(drag.move(at(0, 0))).toBeNull();
    drag.begin(at(100, 100));
    expect(drag.move(at(101, 101))).toBeNull();
  });
});

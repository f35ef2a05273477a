import { type KeyboardEvent, type MouseEvent, type PointerEvent, type RefObject, useEffect, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import type { BrowserInput } from './input-queue.ts';
import { DragScroll, findPlace, type Point, readKey } from './read-input.ts';
import type { BrowserState } from './watch-browser.ts';

export interface BrowserScreenProps {
  canvas: RefObject<HTMLCanvasElement | null>;
  state: BrowserState;
  isDriving: boolean;
  act(input: BrowserInput): void;
  /** The keyboard continues outside. */
  onLeave(): void;
}

type Doing = Pick<BrowserScreenProps, 'canvas' | 'state' | 'isDriving' | 'act'>;

/** What mouse, wheel, and fingers do on the picture. */
function usePointing({ canvas, state, isDriving, act }: Doing) {
  const [drag] = useState(() => new DragScroll());
  const placeOf = (point: Point) => findPlace(point, canvas.current?.getBoundingClientRect(), state);
  // React's listener for wheels cannot keep the page around from scrolling.
  useEffect(() => {
    const screen = canvas.current;
    if (!isDriving || !screen) return undefined;
    const scroll = (event: WheelEvent) => {
      event.preventDefault();
      const place = placeOf(event);
      if (place) act({ do: 'scroll', ...place, by_x: event.deltaX, by_y: event.deltaY });
    };
    screen.addEventListener('wheel', scroll, { passive: false });
    return () => screen.removeEventListener('wheel', scroll);
  });
  const click = (event: MouseEvent, button: 'left' | 'right') => {
    const place = placeOf(event);
    if (place) act({ do: 'click', ...place, button, count: Math.min(Math.max(event.detail, 1), 3) });
  };
  const draw = (event: PointerEvent) => {
    const moved = event.pointerType === 'touch' && event.isPrimary ? drag.move(event) : null;
    const place = moved && placeOf(event);
    if (!place) return;
    const scale = state.width / Math.max(canvas.current?.clientWidth ?? 0, 1);
    act({ do: 'scroll', ...place, by_x: moved.byX * scale, by_y: moved.byY * scale });
  };
  return {
    onClick: (event: MouseEvent) => click(event, 'left'),
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      click(event, 'right');
    },
    onPointerDown: (event: PointerEvent) => event.isPrimary && drag.begin(event),
    onPointerMove: draw,
    onPointerUp: () => drag.end(),
    onPointerCancel: () => drag.end(),
  };
}

/** The picture of the browser; while somebody drives it, it takes mouse and keyboard. Escape lets go of the keyboard. */
export function BrowserScreen({ onLeave, ...doing }: BrowserScreenProps) {
  const { canvas, isDriving, act } = doing;
  const { browser } = useText().workbench;
  const pointing = usePointing(doing);
  const press = (event: KeyboardEvent) => {
    const isLeaving = event.key === 'Escape';
    const input = readKey(event);
    if (!isLeaving && !input) return;
    // Around the picture, the same keys are shortcuts: Escape stops the agent.
    event.preventDefault();
    event.stopPropagation();
    if (isLeaving) onLeave();
    else if (input) act(input);
  };
  const driving = isDriving && {
    tabIndex: 0,
    role: 'application',
    'aria-describedby': 'browser-keys',
    ...pointing,
    onKeyDown: press,
    onPaste: (event: React.ClipboardEvent) => act({ do: 'type', text: event.clipboardData.getData('text') }),
  };
  return (
    <canvas
      ref={canvas}
      width={1024}
      height={640}
      role="img"
      aria-label={browser.picture}
      className={joinClasses('block w-full bg-paper', isDriving && 'cursor-default touch-none')}
      {...driving}
    />
  );
}

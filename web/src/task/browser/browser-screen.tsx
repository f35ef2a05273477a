import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect } from 'react';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import type { BrowserInput } from './input-queue.ts';
import type { BrowserState } from './use-live-browser.ts';

/** Keys that are sent by their names; all others as the character that they write. */
const named = /^(?:Enter|Tab|Backspace|Delete|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right))$/;

type Pointed = Pick<MouseEvent, 'clientX' | 'clientY'>;

/** Where on the page that the picture shows. */
function findPlace({ clientX, clientY }: Pointed, canvas: HTMLCanvasElement | null, { width, height }: BrowserState) {
  const box = canvas?.getBoundingClientRect();
  if (!box || box.width === 0) return null;
  const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), most));
  return {
    x: within(((clientX - box.left) / box.width) * width, width),
    y: within(((clientY - box.top) / box.height) * height, height),
  };
}

export interface BrowserScreenProps {
  canvas: RefObject<HTMLCanvasElement | null>;
  state: BrowserState;
  isDriving: boolean;
  act(input: BrowserInput): void;
  /** The keyboard continues outside. */
  onLeave(): void;
}

function readKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): BrowserInput | null {
  if (named.test(key)) return { do: 'press', keys: `${shiftKey ? 'Shift+' : ''}${ctrlKey || metaKey ? 'Control+' : ''}${key}` };
  if (!/^.$/u.test(key)) return null;
  if (!ctrlKey && !metaKey) return { do: 'type', text: key };
  // What is pasted comes with its text.
  return !altKey && /^[acxz]$/i.test(key) ? { do: 'press', keys: `Control+${key.toLowerCase()}` } : null;
}

/** The picture of the browser; while somebody drives it, it takes mouse and keyboard. Escape lets go of the keyboard. */
export function BrowserScreen({ canvas, state, isDriving, act, onLeave }: BrowserScreenProps) {
  const { browser } = useText().workbench;
  const placeOf = (event: Pointed) => findPlace(event, canvas.current, state);
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
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onLeave();
    const input = readKey(event);
    if (!input) return;
    event.preventDefault();
    event.stopPropagation();
    act(input);
  };
  const driving = isDriving && {
    tabIndex: 0,
    role: 'application',
    'aria-describedby': 'browser-keys',
    onClick: (event: MouseEvent) => click(event, 'left'),
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      click(event, 'right');
    },
    onKeyDown: press,
    onPaste: (event: React.ClipboardEvent) => {
      const pasted = event.clipboardData.getData('text').slice(0, 2000);
      if (pasted !== '') act({ do: 'type', text: pasted });
    },
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

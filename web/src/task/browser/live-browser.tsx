import { ArrowLeft, ArrowRight, Globe, MousePointerClick, RotateCw } from 'lucide-react';
import { type RefObject, type SubmitEvent, useEffect, useRef } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { inputClasses } from '../../ui/controls/field.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';
import { useAction } from '../../ui/feedback/use-action.ts';
import { BrowserScreen } from './browser-screen.tsx';
import { type LiveBrowserHand, useLiveBrowser } from './use-live-browser.ts';

/** Says in words who controls the browser. */
function useStanding({ state, isWaiting, isRefused, isDriving }: LiveBrowserHand): string {
  const { browser } = useText().workbench;
  if (isDriving) return browser.youDrive;
  if (isWaiting) return browser.waiting;
  if (isRefused) return browser.refused;
  return state.driver === 'person' ? browser.othersDrive : browser.agentDrives;
}

/** Buttons and a field for those who drive, also without a keyboard that the picture could hear. */
function DriverControls({ act }: Pick<LiveBrowserHand, 'act'>) {
  const { browser } = useText().workbench;
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('text');
    if (!(field instanceof HTMLInputElement)) return;
    if (field.value === '') act({ do: 'press', keys: 'Enter' });
    else act({ do: 'type', text: field.value });
    field.value = '';
  };
  return (
    <div className="flex flex-col gap-2 border-t border-line p-2">
      <form onSubmit={send} className="flex items-center gap-1">
        <IconButton label={browser.back} icon={<ArrowLeft />} onClick={() => act({ do: 'go', to: 'back' })} />
        <IconButton label={browser.forward} icon={<ArrowRight />} onClick={() => act({ do: 'go', to: 'forward' })} />
        <IconButton label={browser.reload} icon={<RotateCw />} onClick={() => act({ do: 'go', to: 'reload' })} />
        <input
          name="text"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={2000}
          aria-label={browser.typeHere}
          placeholder={browser.typeHere}
          className={joinClasses(inputClasses, 'min-w-0 flex-1')}
        />
        <Button type="submit">{browser.type}</Button>
      </form>
      <p id="browser-keys" className="px-1 text-sm text-soft">
        {browser.privacy} {browser.keys}
      </p>
    </div>
  );
}

interface FocusPlaces {
  canvas: RefObject<HTMLCanvasElement | null>;
  switchDriver: RefObject<HTMLButtonElement | null>;
  frame: RefObject<HTMLDivElement | null>;
}

/** Keeps the keyboard here when control ends: who was typing would otherwise type shortcuts that stop or leave the task. */
function useFocusAfterControl(isDriving: boolean, { canvas, switchDriver, frame }: FocusPlaces): void {
  const wasDriving = useRef(false);
  useEffect(() => {
    const hasEnded = wasDriving.current && !isDriving;
    wasDriving.current = isDriving;
    const focused = document.activeElement;
    if (!hasEnded || (focused !== document.body && focused !== canvas.current)) return;
    switchDriver.current?.focus();
    // The button is hidden when the browser has ended.
    if (document.activeElement !== switchDriver.current) frame.current?.focus();
  }, [isDriving, canvas, switchDriver, frame]);
}

/** What the agent's browser shows now, and the way to take it over. Nothing while there is none. */
export function LiveBrowser({ taskId }: { taskId: string }) {
  const { browser } = useText().workbench;
  const canvas = useRef<HTMLCanvasElement>(null);
  const switchDriver = useRef<HTMLButtonElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const hand = useLiveBrowser(taskId, canvas);
  const { state, isDriving, isWaiting, ask, act } = hand;
  const standing = useStanding(hand);
  const { mutate: run } = useAction((action: 'take' | 'hand_back') => ask(action));
  useFocusAfterControl(isDriving, { canvas, switchDriver, frame });
  const isShown = state.driver !== 'nobody' && state.width > 0;
  const isMine = isWaiting || state.driver === 'you';
  const StandingIcon = isDriving ? MousePointerClick : Globe;
  return (
    <div
      ref={frame}
      tabIndex={-1}
      data-own-keys={isDriving ? 'all' : 'letters'}
      className={joinClasses('outline-none', !isShown && 'absolute')}
    >
      <section aria-label={browser.title} hidden={!isShown}>
        <h2 className="mb-2 text-sm font-semibold">{browser.title}</h2>
        <div className={joinClasses('overflow-hidden rounded-lg border bg-card', isDriving ? 'border-accent' : 'border-line')}>
          <div className="flex min-h-11 items-center gap-2 border-b border-line px-3 py-1.5 text-sm">
            <StandingIcon aria-hidden className={joinClasses('size-4 shrink-0', isDriving ? 'text-accent' : 'text-soft')} />
            <p role="status" className="min-w-0 flex-1">
              {standing}
            </p>
            {state.driver !== 'person' && (
              <Button ref={switchDriver} size="small" onClick={() => run(isMine ? 'hand_back' : 'take')}>
                {isMine ? browser.handBack : browser.takeOver}
              </Button>
            )}
          </div>
          <BrowserScreen {...{ canvas, state, isDriving, act }} onLeave={() => switchDriver.current?.focus()} />
          {isDriving && <DriverControls act={act} />}
        </div>
      </section>
    </div>
  );
}

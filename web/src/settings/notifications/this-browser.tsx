import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Card, Section } from '../../ui/display/card.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { startPush, stopPush, usePushState } from './push.ts';

/** Whether this browser is notified, and the way to change that. */
export function ThisBrowser({ pushKey }: { pushKey: string | null }) {
  const { notifications } = useText();
  const state = usePushState();
  const changes = [keys.notifications];
  const start = useAction(() => startPush(pushKey ?? ''), {
    changes,
    onDone: (isAllowed) => showToast(isAllowed ? notifications.started : notifications.notAllowed),
  });
  const stop = useAction(stopPush, { changes, onDone: () => showToast(notifications.stopped) });
  const tryOut = useAction(() => errand.notification.try({}), { onDone: () => showToast(notifications.tried) });
  return (
    <Section title={notifications.here} lead={notifications.hereLead}>
      <Card className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0 text-sm">
          {state && <Badge tone={state === 'on' ? 'good' : 'plain'}>{notifications.states[state]}</Badge>}
          {state && <p className="mt-1.5 max-w-prose text-soft">{notifications.stateHints[state]}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          {state === 'off' && (
            <Button look="primary" isBusy={start.isPending} onClick={() => start.mutate(undefined)}>
              {notifications.start}
            </Button>
          )}
          {state === 'on' && (
            <>
              <Button isBusy={tryOut.isPending} onClick={() => tryOut.mutate(undefined)}>
                {notifications.tryOut}
              </Button>
              <Button look="quiet" isBusy={stop.isPending} onClick={() => stop.mutate(undefined)}>
                {notifications.stop}
              </Button>
            </>
          )}
        </div>
      </Card>
    </Section>
  );
}

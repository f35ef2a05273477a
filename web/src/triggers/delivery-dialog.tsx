import type { TriggerEvent } from '@errand/client';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { FactList } from '../automation/fact-list.tsx';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';

interface DeliveryDialogProps {
  triggerId: string;
  event: TriggerEvent;
  onClose(): void;
}

/** JSON as people read it; anything else as it is. */
function tidyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** The body that was sent, and what is missing from it. */
function Body({ event: { body, body_bytes: bytes } }: { event: TriggerEvent }) {
  const { triggers } = useText();
  const isCut = body !== undefined && new Blob([body]).size < bytes;
  return (
    <section>
      <h3 className="mb-1 text-sm font-medium">{triggers.body}</h3>
      {body === undefined ? (
        <p className="text-sm text-soft">{triggers.noBody}</p>
      ) : (
        <pre
          // Scrolled by keyboard too.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label={triggers.body}
          role="region"
          className="max-h-72 overflow-auto rounded-md bg-hover p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
        >
          {isCut ? body : tidyBody(body)}
        </pre>
      )}
      {isCut && <p className="mt-1 text-sm text-soft">{triggers.bodyCut}</p>}
    </section>
  );
}

/** One delivery: what was sent, and its outcome. It can be replayed. */
export function DeliveryDialog({ triggerId, event, onClose }: DeliveryDialogProps) {
  const { triggers } = useText();
  const format = useFormat();
  const replay = useAction(() => errand.trigger.replay({ event_id: event.id }), {
    changes: [keys.trigger(triggerId)],
    onDone: () => {
      showToast(triggers.started);
      onClose();
    },
  });
  const headers = Object.entries(event.headers);
  const actions = event.is_replayable && (
    <DialogActions
      onCancel={onClose}
      label={triggers.replay}
      isBusy={replay.isPending}
      onClick={() => replay.mutate(undefined)}
    />
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${triggers.outcomes[event.outcome]} · ${format.dateTime(event.created_at * 1000)}`}
      actions={actions || undefined}
      isWide
    >
      <div className="flex flex-col gap-5">
        {event.error !== undefined && <p className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">{event.error}</p>}
        {event.notes.length > 0 && (
          <section>
            <h3 className="mb-1 text-sm font-medium">{triggers.notes}</h3>
            <ul className="list-disc pl-5 text-sm wrap-anywhere">
              {event.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </section>
        )}
        <Body event={event} />
        {headers.length > 0 && (
          <section>
            <h3 className="mb-1 text-sm font-medium">{triggers.headers}</h3>
            <FactList facts={headers} />
          </section>
        )}
      </div>
    </Dialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keys } from '../api/query-keys.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import { CodeBlock } from '../markdown/code-block.tsx';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { indent } from './requests/indent.ts';
import { showToast } from '../ui/feedback/toast.tsx';

type Attempt = WebResponse<'webhook.delivery'>['delivery']['attempts'][number];

function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The response to one attempt. */
function AttemptRow({ attempt, number }: { attempt: Attempt; number: number }) {
  const { developers: text } = useText();
  const format = useFormat();
  return (
    <li className="border-b border-line py-3 last:border-none">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="font-medium">{text.attempt(number)}</span>
        <Badge tone={isSuccess(attempt) ? 'good' : 'bad'}>{attempt.status ?? text.noResponse}</Badge>
        <span className="text-soft">
          {format.dateTime(attempt.at * 1000)} · {format.milliseconds(attempt.duration_ms)}
        </span>
      </p>
      {attempt.error !== null && <p className="mt-1 text-sm text-bad wrap-anywhere">{attempt.error}</p>}
      {attempt.excerpt !== '' && (
        <pre className="mt-2 max-h-40 overflow-auto rounded-md bg-hover p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
          {attempt.excerpt}
        </pre>
      )}
    </li>
  );
}

export interface DeliveryDialogProps {
  deliveryId: string;
  webhookId: string;
  onClose(): void;
}

/** One delivery: its request, each response, and a button to resend it. */
export function DeliveryDialog({ deliveryId, webhookId, onClose }: DeliveryDialogProps) {
  const { developers: text } = useText();
  const format = useFormat();
  const queryKey = [...keys.deliveries(webhookId), 'one', deliveryId];
  const found = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await callWeb('webhook.delivery', { delivery_id: deliveryId }, { signal })).delivery,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 2_000 : false),
  });
  const resend = useAction(() => callWeb('webhook.resend', { delivery_id: deliveryId }), {
    changes: [keys.deliveries(webhookId)],
    onDone: ({ resent }) => showToast(text.resent(resent)),
  });
  const delivery = found.data;
  const first = delivery ? delivery.attempt_count - delivery.attempts.length + 1 : 1;
  const actions = (
    <Button look="primary" isBusy={resend.isPending} disabled={!delivery} onClick={() => resend.mutate(undefined)}>
      {text.sendAgain}
    </Button>
  );
  return (
    <Dialog isOpen onClose={onClose} isWide title={delivery?.event_type ?? text.deliveries} actions={actions}>
      {found.error && <ErrorState error={found.error} onRetry={found.refetch} />}
      {found.isPending && <SkeletonList />}
      {delivery && (
        <div className="flex flex-col gap-5">
          <p className="flex flex-wrap gap-x-4 text-sm text-soft">
            <span>
              {text.deliveryStatus[delivery.status]}
              {delivery.next_attempt_at !== null && ` · ${text.nextAttempt}: ${format.minute(delivery.next_attempt_at * 1000)}`}
            </span>
            <Link to="/app/$taskId" params={{ taskId: delivery.task_id }} className={linkClasses}>
              {text.task}
            </Link>
          </p>
          <section>
            <h3 className="mb-1 text-sm font-medium">{text.request}</h3>
            <CodeBlock code={indent(delivery.body)} language="json" />
          </section>
          <section>
            <h3 className="text-sm font-medium">{text.response}</h3>
            {delivery.attempts.length === 0 && <p className="text-sm text-soft">{text.notSent}</p>}
            <ol>
              {delivery.attempts.map((attempt, index) => (
                <AttemptRow key={attempt.at + index} attempt={attempt} number={first + index} />
              ))}
            </ol>
          </section>
        </div>
      )}
    </Dialog>
  );
}

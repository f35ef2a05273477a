import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Response as Reply } from '@errand/client';
import { useState } from 'react';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { CodeBlock } from '../../markdown/code-block.tsx';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { linkClasses } from '../../ui/display/link.tsx';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { indent } from './indent.ts';
import { replayRequest, type Replayed } from './replay-request.ts';
import { RequestStatus } from './request-status.tsx';
import { useCredentialName } from './use-credential-name.ts';

type ApiRequest = Reply<'request.detail'>['request'];

/** What is known of a request besides its body. */
function Facts({ request }: { request: ApiRequest }) {
  const { developers: text } = useText();
  const format = useFormat();
  const nameOf = useCredentialName();
  const { status, error_code: code, error_param: param, task_id: taskId } = request;
  const error = code === null ? null : param === null ? code : `${code} · ${param}`;
  const facts = [
    [text.status, <RequestStatus key="status" status={status} />],
    [text.requests.error, error && <code className="font-mono">{error}</code>],
    [text.requests.sent, format.dateTime(request.created_at * 1000)],
    [text.requests.duration, format.milliseconds(request.duration_ms)],
    [text.requests.credential, nameOf(request.credential)],
    [
      text.requests.id,
      <code key="id" className="font-mono">
        {request.id}
      </code>,
    ],
    [
      text.task,
      taskId && (
        <Link key="task" to="/app/$taskId" params={{ taskId }} className={`font-mono ${linkClasses}`}>
          {taskId}
        </Link>
      ),
    ],
    [text.requests.query, request.query !== '' && <code className="font-mono">{request.query}</code>],
  ] as const;
  return (
    <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== false && (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="mb-1 wrap-anywhere sm:mb-0">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Body({ title, body }: { title: string; body: string }) {
  return (
    <section>
      <h3 className="mb-1 text-sm font-medium">{title}</h3>
      <CodeBlock code={indent(body)} language="json" />
    </section>
  );
}

/** Into view when it appears, but not again when the page renders. */
function reveal(answer: HTMLElement | null): void {
  answer?.scrollIntoView({ block: 'nearest' });
}

function Answer({ replayed }: { replayed: Replayed }) {
  const { developers: text } = useText();
  return (
    <section ref={reveal}>
      <div role="status" className="mb-1 flex items-center gap-2">
        <h3 className="text-sm font-medium">{text.requests.answer}</h3>
        <RequestStatus status={replayed.status} />
      </div>
      <CodeBlock code={indent(replayed.body)} language="json" />
    </section>
  );
}

/** One request: what was asked, the response, and a button that sends it again. */
export function RequestDialog({ requestId, onClose }: { requestId: string; onClose(): void }) {
  const { developers: text } = useText();
  const [replayed, setReplayed] = useState<Replayed | null>(null);
  const [isAsked, setAsked] = useState(false);
  const found = useQuery({
    queryKey: keys.request(requestId),
    queryFn: async ({ signal }) => (await errand.request.detail({ request_id: requestId }, { signal })).request,
  });
  const request = found.data;
  const isOnlyRead = request?.method === 'GET' || request?.method === 'HEAD';
  const replay = useAction(async () => request && replayRequest(request), {
    onDone: (answer) => setReplayed(answer ?? null),
    // The confirmation shows why it failed.
    isQuiet: !isOnlyRead,
  });
  const reason = request && request.replay !== 'possible' ? text.requests.notReplayed[request.replay] : null;
  const actions = (
    <>
      {reason !== null && <p className="mr-auto text-sm text-soft">{reason}</p>}
      <Button
        look="primary"
        isBusy={replay.isPending}
        disabled={request?.replay !== 'possible'}
        onClick={() => (isOnlyRead ? replay.mutate(undefined) : setAsked(true))}
      >
        {text.requests.replay}
      </Button>
    </>
  );
  const title = request ? `${request.method} ${request.path}` : text.request;
  return (
    <Dialog isOpen onClose={onClose} isWide title={title} actions={actions}>
      {found.error && <ErrorState error={found.error} onRetry={found.refetch} />}
      {found.isPending && <SkeletonList />}
      {request && (
        <div className="flex flex-col gap-5">
          <Facts request={request} />
          {request.body !== null && <Body title={text.requests.body} body={request.body} />}
          {replayed && <Answer replayed={replayed} />}
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={text.requests.replayTitle}
        confirmLabel={text.requests.replay}
        onConfirm={() => replay.mutateAsync(undefined)}
      >
        {text.requests.replayBody}
      </ConfirmDialog>
    </Dialog>
  );
}

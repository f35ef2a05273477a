import { useQuery } from '@tanstack/react-query';
import { taskShowQuery } from '../../api/task-show-query.ts';
import { CodeBlock } from '../../markdown/code-block.tsx';
import { useText } from '../../text/locale.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { curlCommands } from './curl-commands.ts';

function Commands({ taskId, request }: { taskId: string; request: Record<string, unknown> | null }) {
  const { task } = useText();
  const { uploads, create, send, follow } = curlCommands({ origin: window.location.origin, taskId, request });
  const parts: [string, string][] = [
    ...uploads.map((code): [string, string] => [task.curlUpload, code]),
    ...(create === null ? [] : ([[task.curlCreate, create]] satisfies [string, string][])),
    [task.curlSend, send],
    [task.curlFollow, follow],
  ];
  return (
    <div className="flex flex-col gap-5">
      {parts.map(([title, code]) => (
        <section key={code}>
          <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
          <CodeBlock code={code} language="bash" />
        </section>
      ))}
    </div>
  );
}

/** Shows how to do this with the API. */
export function CurlDialog({ taskId, onClose }: { taskId: string; onClose(): void }) {
  const { task } = useText();
  const { data, error, refetch } = useQuery(taskShowQuery(taskId));
  return (
    <Dialog isOpen onClose={onClose} title={task.asCurl} lead={task.curlLead} isWide>
      {data ? (
        <Commands taskId={taskId} request={data.request} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <SkeletonList rows={3} className="h-32" />
      )}
    </Dialog>
  );
}

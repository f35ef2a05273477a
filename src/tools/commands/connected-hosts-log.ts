import type { Log } from '@errand/base/log.ts';
import type { ToolContext } from '../toolbox/tool.ts';

/** Per command; the number of connections is logged separately. */
const mostLines = 100;

/** Names a call in the log. */
export function nameCall({ accountId, taskId, callId }: Pick<ToolContext, 'accountId' | 'taskId' | 'callId'>) {
  return { account_id: accountId, task_id: taskId, call_id: callId };
}

/** Logs each host that a command has connected to, so that operators can see where data went. */
export function logConnectedHost(log: Log, about: Readonly<Record<`${string}_id`, string>>): (host: string) => void {
  let count = 0;
  return (host) => {
    count += 1;
    if (count <= mostLines) log.info({ ...about, host }, 'a command reached a host');
    else if (count === mostLines + 1) log.info(about, 'a command reached more hosts, which are not listed');
  };
}

import type { Log } from '@errand/base/log.ts';
import type { ToolContext } from '../toolbox/tool.ts';

/** Of one command; its connections are counted besides. */
const mostLines = 100;

/** Notes in the service's log which hosts one command has reached: a line for each, so that a person can see where data went. */
export function logConnectedHost(log: Log, { accountId, taskId, callId }: ToolContext): (host: string) => void {
  const about = { account_id: accountId, task_id: taskId, call_id: callId };
  let count = 0;
  return (host) => {
    count += 1;
    if (count <= mostLines) log.info({ ...about, host }, 'a command reached a host');
    else if (count === mostLines + 1) log.info(about, 'a command reached more hosts, which are not listed');
  };
}

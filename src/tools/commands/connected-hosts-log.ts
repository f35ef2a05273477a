import type { Log } from '@errand/base/log.ts';
import type { ToolContext } from '../toolbox/tool.ts';

/** Per command; the number of connections is logged separately. */
const mostLines = 100;

/** Logs each host that a command has connected to, so that operators can see where data went. */
export function logConnectedHost(log: Log, { accountId, taskId, callId }: ToolContext): (host: string) => void {
  const about = { account_id: accountId, task_id: taskId, call_id: callId };
  let count = 0;
  return (host) => {
    count += 1;
    if (count <= mostLines) log.info({ ...about, host }, 'a command reached a host');
    else if (count === mostLines + 1) log.info(about, 'a command reached more hosts, which are not listed');
  };
}

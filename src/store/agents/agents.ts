import { Fault } from '@errand/base/fault.ts';
import { defaultAgentId, firstNickname, mainTaskId } from '../../rules/agents/default-agent.ts';
import { preparedEvents } from '../../rules/tasks/task-command.ts';
import { type StoreOperation, type Script, selectAll, selectFirst, sql } from '../db/store-operation.ts';
import { insertEvents } from '../events/events.ts';
import { insertTask } from '../tasks/task-row.ts';
import { lockTask } from '../tasks/tasks.ts';
import { tableCodec, text } from '../db/row-codec.ts';
import { accountRow, taskRow } from '../db/shared-rows.ts';

export interface Agent {
  id: string;
  /** The agent's main task. */
  taskId: string;
  nickname: string;
  about: string;
}

export interface AgentKey {
  accountId: string;
  agentId: string;
}

const agentRow = tableCodec('agents', { id: text, task_id: text, nickname: text, about: text });
const { read: readAgent, columns } = agentRow;

export function agentNotFound(): Fault {
  return new Fault('not_found', 'agent not found');
}

const { read: readOwner } = accountRow.pick('account_id, plan, locale');
type AgentOwner = ReturnType<typeof readOwner>;

/**
 * Creates an account's default agent with an empty main task. Their ids are derived from the account's, so concurrent calls create it once.
 */
export function* prepareAgent({ accountId, plan, locale }: AgentOwner, now: number): Script<void> {
  const agentId = defaultAgentId(accountId);
  const taskId = mainTaskId(accountId);
  const made = yield* selectFirst(
    `INSERT INTO agents (account_id, id, task_id, nickname, about, created_at, updated_at) VALUES (?, ?, ?, ?, '', ?, ?)
     ON CONFLICT DO NOTHING RETURNING id`,
    accountId,
    agentId,
    taskId,
    firstNickname,
    now,
    now,
  );
  if (!made) return;
  const task = {
    accountId,
    taskId,
    now,
    taskType: 'agent_main' as const,
    title: firstNickname,
    profile: plan === 'free' ? 'service-1.6-lite' : 'service-1.6',
    family: null,
    metadata: null,
    externalUserId: null,
    locale,
    isInteractive: true,
    isHidden: true,
    shareVisibility: 'private' as const,
    shareId: null,
    apiKeyId: null,
    oauthClientId: null,
    projectId: null,
    agentId,
  };
  yield insertTask(task, preparedEvents({ persona: { nickname: firstNickname, about: '' } })).statements;
}

/** Creates the agents of accounts from an earlier version, at most `limit` at once; returns their number. */
export const prepareAgents: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'agents.prepare',
  access: 'exclusive',
  *run({ now, limit }) {
    const rows = yield* selectAll(
      `SELECT account_id, plan, locale FROM accounts a
       WHERE NOT EXISTS (SELECT 1 FROM agents g WHERE g.account_id = a.account_id) LIMIT ?`,
      limit,
    );
    for (const row of rows) yield* prepareAgent(readOwner(row), now);
    return rows.length;
  },
};

export const listAgents: StoreOperation<string, Agent[]> = {
  name: 'agents.list',
  access: 'read',
  *run(accountId) {
    return (yield* selectAll(`SELECT ${columns} FROM agents WHERE account_id = ? ORDER BY id`, accountId)).map(readAgent);
  },
};

export const getAgent: StoreOperation<AgentKey, Agent> = {
  name: 'agents.get',
  access: 'read',
  *run({ accountId, agentId }) {
    const row = yield* selectFirst(`SELECT ${columns} FROM agents WHERE account_id = ? AND id = ?`, accountId, agentId);
    if (!row) throw agentNotFound();
    return readAgent(row);
  },
};

export interface UpdateAgentArgs extends AgentKey {
  now: number;
  /** Null leaves it unchanged. */
  nickname: string | null;
  about: string | null;
}

/** Changes an agent's identity; its conversation uses it from the next step. */
export const updateAgent: StoreOperation<UpdateAgentArgs, Agent> = {
  name: 'agents.update',
  access: 'write',
  keys: ({ accountId }) => [mainTaskId(accountId)],
  *run({ accountId, agentId, now, nickname, about }) {
    const agent = yield* getAgent.run({ accountId, agentId });
    const task = yield* lockTask({ accountId, taskId: agent.taskId });
    const updated = yield* selectFirst(
      `UPDATE agents SET nickname = COALESCE(?, nickname), about = COALESCE(?, about), updated_at = ?
       WHERE account_id = ? AND id = ? RETURNING ${columns}`,
      nickname,
      about,
      now,
      accountId,
      agentId,
    );
    if (!updated) throw agentNotFound();
    const changed = readAgent(updated);
    const seq = taskRow.last_seq(task) + 1;
    const at = Math.max(now, taskRow.last_event_at(task) + 1);
    const { nickname: newNickname, about: newAbout } = changed;
    yield [
      sql(
        'UPDATE tasks SET last_seq = ?, last_event_at = ?, updated_at = ? WHERE account_id = ? AND id = ?',
        seq,
        at,
        now,
        accountId,
        agent.taskId,
      ),
      insertEvents(accountId, agent.taskId, seq, at, [{ type: 'equipped', persona: { nickname: newNickname, about: newAbout } }]),
    ];
    return changed;
  },
  announce: ({ accountId }) => [{ topic: 'task', taskId: mainTaskId(accountId) }],
};

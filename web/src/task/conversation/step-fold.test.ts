import type { TaskEvent } from '@errand/client';
import { expect, it } from 'vitest';
import { StepFold } from './step-fold.ts';

type Body = Record<string, unknown>;

function fold(bodies: readonly Body[]): StepFold {
  const run = new StepFold();
  bodies.forEach((body, index) => {
    const [type] = Object.keys(body);
    const event = { id: `e${index}`, timestamp: 1_000 * (index + 1), type, ...body } as unknown as TaskEvent;
    run.read(event, index === 0 ? null : 1_000 * index);
  });
  return run;
}

const say: Body = { user_message: { content: 'go', message_type: 'text', attachments: [] } };
const reply: Body = { assistant_message: { content: 'Here.', attachments: [] } };
const use = (status = 'success', more: Body = {}): Body => ({
  tool_used: {
    tool: 'run_shell',
    action_id: 'c',
    status,
    brief: '',
    description: '',
    message: { action: '', param: 'ls' },
    ...more,
  },
});
const status = (agent_status: string, status_detail: Body = {}): Body => ({
  status_update: { agent_status, brief: '', description: '', status_detail },
});
const plan = (doing: string | null, ...titles: string[]): Body => ({
  plan_update: {
    steps: titles.map((title) => ({ title, status: title === doing ? 'doing' : 'todo', started_at: null, end_at: null })),
  },
});

it('numbers messages, calls, questions, failures, and ends, with the time that each took', () => {
  const { steps } = fold([
    say,
    status('running'),
    { explanation: { content: 'Looking.' } },
    use(),
    use('success', { tool: 'update_plan' }),
    use('error'),
    use('success', { params: { command: 'rm -r x' } }),
    status('waiting', { waiting_for_event_id: 'e6', waiting_for_event_type: 'terminalExecute' }),
    status('running'),
    { structured_output_result: { success: false, value: null, error: 'no' } },
    { error_message: { error_type: 'x', content: 'no' } },
    status('stopped'),
  ]);
  expect(steps.map(({ kind, key, isFailed }) => [kind, key, isFailed])).toEqual([
    ['user', 'e0', false],
    ['agent', 'e2', false],
    ['call', 'e3', false],
    ['call', 'e5', true],
    ['question', 'e7', false],
    ['result', 'e9', true],
    ['error', 'e10', true],
    ['end', 'e11', false],
  ]);
  expect(steps.map(({ tookMs }) => tookMs)).toEqual([null, 1_000, 1_000, 1_000, null, 1_000, null, null]);
});

it('counts a question once, at the moment at which it can be answered', () => {
  const ask = { waiting_for_event_id: 'e1', waiting_for_event_type: 'messageAskUser', waiting_description: 'Which?' };
  expect(fold([say, reply, status('waiting', ask)]).steps.map(({ kind, key }) => [kind, key])).toEqual([
    ['user', 'e0'],
    ['question', 'e2'],
  ]);
});

it('begins a chapter with the first step of each phase of the plan', () => {
  const titles = ['Collect', 'Write'];
  const { chapters } = fold([
    say,
    plan(null, ...titles),
    use(),
    plan('Collect', ...titles),
    plan('Collect', ...titles),
    use(),
    use(),
    plan(null, ...titles),
    plan('Write', ...titles),
    use(),
    plan(null, ...titles),
    reply,
  ]);
  expect(chapters).toEqual([
    { title: 'Collect', from: 2 },
    { title: 'Write', from: 4 },
    { title: null, from: 5 },
  ]);
});

it('has no chapter without a step', () => {
  const titles = ['Collect', 'Write', 'Check'];
  const { chapters } = fold([say, plan('Collect', ...titles), plan('Write', ...titles), plan('Check', ...titles), use()]);
  expect(chapters).toEqual([{ title: 'Check', from: 1 }]);
  expect(
    fold([say, plan('Collect', ...titles), use(), plan('Write', ...titles), plan('Collect', ...titles), use()]).chapters,
  ).toEqual([{ title: 'Collect', from: 1 }]);
});

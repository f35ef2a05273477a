import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taskLogs } from '../../../test/support/tasks/task-logs.ts';
import { eventSeq, newId } from '@errand/base/ids.ts';
import { audienceOf, audiences, presentEvent } from './present.ts';
import type { TaskEvent, TaskEventType } from './task-event.ts';
import { plainView } from '../../../test/support/tasks/plain-attachment-view.ts';

const taskId = newId(1_700_000_000_000);
const usage = { input: 41, output: 42, cached: 43 };
const summary = { brief: 'Reading a file', action: 'Reading', param: 'a.md' };
const secret = { signature: 'internal-canary' };
const stored = { blobId: 'internal-canary', filename: 'deck.html', contentType: 'text/html', bytes: 9 };
const deck = { ...stored, kind: 'slides' as const, forms: { html: stored, pptx: { ...stored, filename: 'deck.pptx' } } };
const outcome = { success: true, value: { a: 1 }, error: null };

/** One event of each type, what clients read of it, and whether only verbose readers do. */
const examples: { [Type in TaskEventType]: [Extract<TaskEvent, { type: Type }>, string | null, unknown, isVerbose?: true] } = {
  user_message: [
    { type: 'user_message', text: 'Hello', kind: 'voice', outputSchema: secret },
    'user_message',
    { content: 'Hello', message_type: 'voice', attachments: [] },
  ],
  prepared: [{ type: 'prepared' }, null, null],
  equipped: [{ type: 'equipped', instruction: 'internal-canary' }, null, null],
  skill_loaded: [{ type: 'skill_loaded', skillId: 's', text: 'internal-canary' }, null, null],
  tools_pinned: [{ type: 'tools_pinned', tools: { mcp__a__b: 'internal-canary' } }, null, null],
  running: [{ type: 'running', brief: 'Going on' }, 'status_update', status('running', 'Going on')],
  model_started: [{ type: 'model_started', step: 1, attempt: 1, model: 'internal-canary', estimatedInput: 9 }, null, null],
  model_finished: [
    { type: 'model_finished', step: 1, parts: [{ type: 'reasoning', text: 'internal-canary', provider: secret }], usage },
    null,
    null,
  ],
  model_failed: [{ type: 'model_failed', step: 1, attempt: 1, reason: 'internal-canary', retryAt: 1, usage }, null, null],
  model_waiting: [
    { type: 'model_waiting', model: 'openai/gpt-5', sinceMs: 1_700_000_000_900, nextTryAtMs: 1_700_000_060_100 },
    'model_waiting',
    { provider: 'openai', model: 'openai/gpt-5', since: 1_700_000_000, next_try_at: 1_700_000_061 },
    true,
  ],
  schema_shown: [{ type: 'schema_shown', text: 'internal-canary' }, null, null],
  explained: [{ type: 'explained', text: 'First I look.' }, 'explanation', { content: 'First I look.' }, true],
  file_fetched: [
    { type: 'file_fetched', id: 'f', filename: 'a.pdf', attachment: null, problem: 'the server answered with status 404' },
    'explanation',
    { content: 'a.pdf could not be fetched from its URL: the server answered with status 404' },
    true,
  ],
  voice_transcribed: [
    { type: 'voice_transcribed', path: 'attachments/a.ogg', text: 'Hello', problem: null },
    'explanation',
    { content: 'Transcript of attachments/a.ogg: Hello' },
    true,
  ],
  step_repeated: [
    { type: 'step_repeated', callId: 'c', tool: 'run_shell', attempt: 2, reason: 'drain', firstStartedAtMs: 1_700_000_000_123 },
    'step_repeated',
    { tool: 'run_shell', action_id: 'c', attempt: 2, reason: 'drain', first_started_at: 1_700_000_000 },
    true,
  ],
  process_lost: [
    { type: 'process_lost', things: [{ id: 'p1', kind: 'process', title: 'npm start' }] },
    'process_lost',
    { processes: [{ id: 'p1', kind: 'process', title: 'npm start' }] },
    true,
  ],
  tool_started: [{ type: 'tool_started', callId: 'c', tool: 'internal-canary', attempt: 1 }, null, null],
  tool_finished: [
    { type: 'tool_finished', callId: 'c', tool: 'read_file', status: 'error', output: 'no file', ...summary },
    'tool_used',
    {
      tool: 'read_file',
      action_id: 'c',
      status: 'error',
      brief: 'Reading a file',
      description: 'no file',
      message: { action: 'Reading', param: 'a.md' },
    },
    true,
  ],
  attachments_placed: [{ type: 'attachments_placed', count: 2 }, null, null],
  files_left_out: [
    { type: 'files_left_out', count: 2, files: [{ path: 'run/db.sock', reason: 'special' }] },
    'explanation',
    {
      content: `The workspace was restored from a copy. These files and folders could not be part of it and are gone or incomplete:
- "run/db.sock": sockets, pipes and devices are not copied
- 1 more`,
    },
    true,
  ],
  file_delivered: [
    { type: 'file_delivered', artifactId: 'x', path: 'internal-canary', displayName: 'internal-canary', attachment: deck },
    null,
    null,
  ],
  site_made: [
    {
      type: 'site_made',
      websiteId: 'x',
      folder: 'internal-canary',
      space: 'internal-canary',
      title: 'internal-canary',
      platform: 'game',
      versionId: 'x',
      message: 'internal-canary',
      blobId: 'internal-canary',
      indexAt: 1,
      bytes: 2,
    },
    null,
    null,
  ],
  plan_updated: [
    { type: 'plan_updated', steps: [{ title: 'Look', status: 'doing', startedAt: 5, endedAt: null }] },
    'plan_update',
    { steps: [{ status: 'doing', title: 'Look', started_at: 5, end_at: null }] },
    true,
  ],
  plan_step_added: [
    { type: 'plan_step_added', stepId: 's', title: 'Look' },
    'new_plan_step',
    { step_id: 's', title: 'Look' },
    true,
  ],
  assistant_message: [{ type: 'assistant_message', text: 'Done' }, 'assistant_message', { content: 'Done', attachments: [] }],
  action_prepared: [
    { type: 'action_prepared', callId: 'c', tool: 'run_shell', params: { command: 'rm -r a' }, ...summary },
    'tool_used',
    {
      tool: 'run_shell',
      action_id: 'c',
      status: 'success',
      brief: 'Reading a file',
      description: '',
      message: { action: 'Reading', param: 'a.md' },
      params: { command: 'rm -r a' },
    },
    true,
  ],
  decided: [{ type: 'decided', callId: 'internal-canary', isAccepted: true, isLasting: false }, null, null],
  waiting: [
    { type: 'waiting', callId: 'internal-canary', question: 'Which?' },
    'status_update',
    expect.objectContaining({
      agent_status: 'waiting',
      status_detail: {
        waiting_for_event_id: expect.any(String) as string,
        waiting_for_event_type: 'messageAskUser',
        waiting_description: 'Which?',
      },
    }),
  ],
  budget_warning: [
    { type: 'budget_warning', scope: 'task', period: 'reply', credits: 10, used: 8 },
    'budget_warning',
    { scope: 'task', period: 'reply', credits: 10, used: 8 },
  ],
  user_stopped: [{ type: 'user_stopped' }, 'user_stop', {}],
  stopped: [{ type: 'stopped', by: 'user' }, 'status_update', status('stopped', 'Stopped by the user')],
  error: [
    { type: 'error', errorType: 'model_refused', text: 'No.' },
    'error_message',
    { error_type: 'model_refused', content: 'No.' },
  ],
  failed: [{ type: 'failed' }, 'status_update', status('error', 'Ended with an error')],
  context_cleared: [{ type: 'context_cleared', before: 2, results: [] }, null, null],
  compact_started: [{ type: 'compact_started', attempt: 1, model: 'internal-canary', estimatedInput: 1 }, null, null],
  compact_failed: [{ type: 'compact_failed', attempt: 1, reason: 'internal-canary', retryAt: 0, usage }, null, null],
  compact_part: [{ type: 'compact_part', notes: 'internal-canary', upTo: 3, usage }, null, null],
  compacted: [{ type: 'compacted', summary: 'internal-canary', kept: [], from: 1, usage }, null, null],
  extract_started: [{ type: 'extract_started', attempt: 1, model: 'internal-canary', estimatedInput: 1 }, null, null],
  extract_failed: [
    { type: 'extract_failed', attempt: 1, reason: 'internal-canary', isMisfit: false, retryAt: 1, usage },
    null,
    null,
  ],
  extract_incomplete: [{ type: 'extract_incomplete', missing: ['internal-canary'], value: null, usage }, null, null],
  extract_finished: [{ type: 'extract_finished', ...outcome, usage }, null, null],
  rows_started: [{ type: 'rows_started', callId: 'c1', model: 'internal-canary', rows: 3, estimatedInput: 1 }, null, null],
  rows_failed: [{ type: 'rows_failed', callId: 'c1', attempt: 1, reason: 'internal-canary', retryAt: 1, usage }, null, null],
  rows_finished: [{ type: 'rows_finished', callId: 'c1', usage }, null, null],
  picture_started: [{ type: 'picture_started', callId: 'c1', model: 'internal-canary', estimatedInput: 1 }, null, null],
  picture_failed: [{ type: 'picture_failed', callId: 'c1', reason: 'internal-canary', usage }, null, null],
  picture_finished: [{ type: 'picture_finished', callId: 'c1', blobId: 'internal-canary', bytes: 1, usage }, null, null],
  extract_delivered: [{ type: 'extract_delivered', ...outcome }, 'structured_output_result', outcome],
};

function status(agentStatus: string, brief: string) {
  return { agent_status: agentStatus, brief, description: '', status_detail: {} };
}

describe('presentEvent', () => {
  it.each(Object.entries(examples))('presents %s to its audience as documented', (type, [event, name, content, isVerbose]) => {
    const shown = presentEvent(taskId, { seq: 3, atMs: 1000, event }, plainView);
    const audience = name === null ? audiences.nobody : isVerbose ? audiences.verbose : audiences.everyone;
    expect(audienceOf(type as TaskEventType)).toBe(audience);
    if (name === null) return expect(shown).toBeNull();
    expect(shown).toEqual({ id: expect.any(String) as string, type: name, timestamp: 1000, [name]: content });
    expect(JSON.stringify(shown)).not.toContain('internal-canary');
  });

  it('says that a person declined a call, also for logs that do not mark it', () => {
    const shown = (more: Partial<Extract<TaskEvent, { type: 'tool_finished' }>>) => {
      const event = {
        type: 'tool_finished',
        callId: 'c',
        tool: 'run_shell',
        status: 'error',
        output: 'no',
        ...summary,
        ...more,
      } as const;
      return presentEvent(taskId, { seq: 3, atMs: 1000, event }, plainView)?.tool_used;
    };
    expect(shown({ isDeclined: true })).toMatchObject({ status: 'error', declined: true });
    const [declined, notInTime] = [
      'the user was asked to confirm this and declined.',
      'a person was asked to confirm this and nobody did in time.',
    ];
    for (const output of [declined, notInTime])
      expect(shown({ output: `Not done: ${output}` })).toMatchObject({ declined: true });
    for (const more of [
      { output: 'Not done: this very call was made 4 times' },
      { status: 'success', output: `Not done: ${declined}` },
    ] as const) {
      expect(shown(more)).not.toHaveProperty('declined');
    }
  });

  it('presents a deck in the requested format, and other files unchanged', () => {
    const picture = { ...stored, kind: 'image' as const, filename: 'a.png', contentType: 'image/png' };
    const event: TaskEvent = { type: 'assistant_message', text: 'Done', attachments: [deck, picture] };
    const shown = (slidesFormat: 'html' | 'pptx') =>
      presentEvent(taskId, { seq: 3, atMs: 1000, event }, { slidesFormat, urlOf: ({ filename }) => `https://c/${filename}` });
    const other = { type: 'image', filename: 'a.png', url: 'https://c/a.png', content_type: 'image/png' };
    expect(shown('html')?.assistant_message).toEqual({
      content: 'Done',
      attachments: [{ type: 'slides', filename: 'deck.html', url: 'https://c/deck.html', content_type: 'text/html' }, other],
    });
    expect(shown('pptx')?.assistant_message).toMatchObject({
      attachments: [{ type: 'slides', filename: 'deck.pptx', url: 'https://c/deck.pptx' }, other],
    });
  });

  it('says who wrote a message only to readers who may know', () => {
    const event: TaskEvent = { type: 'user_message', text: 'Hello', kind: 'text', authorId: 'ann' };
    const shown = (view: Parameters<typeof presentEvent>[2]) =>
      presentEvent(taskId, { seq: 3, atMs: 1000, event }, view)?.user_message;
    expect(shown(plainView)).not.toHaveProperty('author');
    expect(shown({ ...plainView, showsAccount: true })).toMatchObject({ content: 'Hello', author: 'ann' });
  });

  it('has the picture that a call has made, and not what the agent has looked at', () => {
    const about = { callId: 'c', brief: '', action: '', param: '', status: 'success' as const, output: '' };
    const pictures = [{ blobId: 'b', bytes: 9, name: 'out/chart.svg' }];
    const shown = (tool: string) => {
      const event: TaskEvent = { type: 'tool_finished', ...about, tool, pictures };
      const view = {
        ...plainView,
        urlOf: ({ filename, blobId }: { filename: string; blobId: string }) => `${blobId}/${filename}`,
      };
      return presentEvent(taskId, { seq: 3, atMs: 1000, event }, view)?.tool_used;
    };
    expect(shown('make_chart')).toMatchObject({ pictures: [{ path: 'out/chart.svg', url: 'b/chart.svg.png' }] });
    expect(shown('use_browser')).not.toHaveProperty('pictures');
  });

  it.each([
    ['account', false],
    ['key', false],
    ['project', false],
    ['schedule', false],
    ['task', true],
    ['application', true],
    ['external_user', true],
  ])('shows readers who may not know the account the budget of the %s: %s', (scope, isShown) => {
    const question =
      'The budget of 50000 credits per month does not cover the next step: 49990 are used. Raise it, and the task continues.';
    const events: TaskEvent[] = [
      { type: 'budget_warning', scope, period: 'month', credits: 50_000, used: 41_000 },
      { type: 'waiting', callId: null, question, budget: { scope, scopeId: 'x', period: 'month', retryAtMs: null } },
    ];
    const read = (view: Parameters<typeof presentEvent>[2]) =>
      JSON.stringify(events.map((event, at) => presentEvent(taskId, { seq: at + 3, atMs: 1000 + at, event }, view)));
    for (const shown of [read(plainView), read({ ...plainView, showsAccount: true })]) expect(shown).toMatch(/50000[^]*49990/);
    const shown = read({ ...plainView, showsAccount: false });
    expect(/50000|49990|41000/.test(shown)).toBe(isShown);
    expect(shown).toContain('Waiting for a higher budget');
  });

  it('shows only readers who may know the account why a budget ended a task', () => {
    const text = 'The budget of 5 credits for this account does not cover the next step: 4 are used.';
    const event: TaskEvent = { type: 'error', errorType: 'budget_exceeded', text };
    const read = (showsAccount: boolean) =>
      presentEvent(taskId, { seq: 3, atMs: 1, event }, { ...plainView, showsAccount })?.error_message;
    expect([read(true), read(false)]).toMatchObject([{ content: text }, { content: 'A budget is used up.' }]);
  });

  it('reports who ended a task', () => {
    const shown = presentEvent(taskId, { seq: 3, atMs: 1000, event: { type: 'stopped', by: 'agent' } }, plainView);
    expect(shown?.status_update).toEqual(status('stopped', 'Finished'));
  });

  it('identifies the question that a task waits for by the id of its message', () => {
    fc.assert(
      fc.property(taskLogs(60), (batches) => {
        const log = batches.map((batch) => batch.map((logged, index) => ({ ...logged, atMs: (batch[0]?.atMs ?? 0) + index })));
        for (const batch of log) {
          for (const [index, logged] of batch.entries()) {
            if (logged.event.type !== 'waiting') continue;
            const before = batch[index - 1];
            const update = presentEvent(taskId, logged, plainView)?.status_update as {
              status_detail: { waiting_for_event_id: string };
            };
            expect(update.status_detail.waiting_for_event_id).toBe(before && presentEvent(taskId, before, plainView)?.id);
          }
        }
      }),
    );
  });

  it('assigns ids that sort strictly in log order and map back to their position', () => {
    fc.assert(
      fc.property(taskLogs(60), (batches) => {
        let lastId = '';
        for (const logged of batches.flat()) {
          const shown = presentEvent(taskId, logged, plainView);
          if (!shown) continue;
          expect(shown.id > lastId).toBe(true);
          expect(eventSeq(taskId, shown.id)).toBe(logged.seq);
          lastId = shown.id;
        }
      }),
    );
  });
});

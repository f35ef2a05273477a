import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TestHost } from '../../../test/support/cli/test-shell.ts';
import { Progress } from './progress.ts';

function describeEvents(withConversation: boolean, ...events: Record<string, object>[]): string[] {
  const lines: string[] = [];
  const progress = new Progress(new TestHost(), { print: (line) => void lines.push(line), withConversation });
  for (const [at, event] of events.entries()) {
    const [type = ''] = Object.keys(event);
    progress.onItem({ kind: 'event', event: { id: String(at), type, ...event } });
  }
  return lines;
}

const plan = (...steps: [string, string][]) => ({ plan_update: { steps: steps.map(([status, title]) => ({ status, title })) } });

describe('the progress of a task', () => {
  it('reports only what changed in a plan', () => {
    expect(
      describeEvents(
        false,
        plan(['doing', 'read'], ['todo', 'write']),
        plan(['done', 'read'], ['doing', 'write']),
        plan(['done', 'read'], ['doing', 'write']),
      ),
    ).toEqual(['→ read', '· write', '✓ read', '→ write']);
  });

  it('reports what tools did, and which failed', () => {
    const used = (status: string) => ({ tool_used: { tool: 'write_file', status, brief: 'Writing a.md' } });
    expect(describeEvents(false, used('success'), used('error'))).toEqual(['• Writing a.md', '• Writing a.md (failed)']);
  });

  it('repeats messages only on request, and a question only once', () => {
    const question = { status_update: { agent_status: 'waiting', brief: '', status_detail: { waiting_description: 'which?' } } };
    const events = [{ user_message: { content: 'hi\nthere' } }, { assistant_message: { content: 'which?' } }, question];
    expect(describeEvents(false, ...events)).toEqual([]);
    expect(describeEvents(true, ...events)).toEqual(['> hi', '> there', '', 'which?', '']);
    expect(describeEvents(true, question)).toEqual(['', '? which?']);
  });

  it('shows a structured result, or why there is none', () => {
    expect(describeEvents(true, { structured_output_result: { success: true, value: { a: 1 }, error: null } })).toEqual([
      'result: {"a":1}',
    ]);
    expect(describeEvents(true, { structured_output_result: { success: false, value: null, error: 'Failed' } })).toEqual([
      'no result: Failed',
    ]);
  });

  it('says that a model is waited for, or that a tool runs again', () => {
    expect(describeEvents(false, { model_waiting: { provider: 'openai', next_try_at: 1_700_000_000 } })).toEqual([
      '… openai does not answer; next try at 22:13:20 UTC',
    ]);
    expect(describeEvents(false, { step_repeated: { tool: 'run_shell' } })).toEqual([
      '↻ run_shell runs again; its worker ended during the first run',
    ]);
  });

  it('lets no model output forge or erase a line', () => {
    const nasty = 'x\u001b[2K\r\nerror: fake';
    expect(describeEvents(false, { explanation: { content: nasty } }, plan(['todo', nasty]))).toEqual([
      'x error: fake',
      '· x error: fake',
    ]);
  });

  it('shows partial output only in a terminal, and erases it before the next line', () => {
    const host = new TestHost();
    host.stderr.isTTY = true;
    const progress = new Progress(host, { print: (line) => void host.stderr.write(`${line}\n`), withConversation: false });
    progress.onItem({ kind: 'delta', step: 1, attempt: 1, text: 'Hel' });
    progress.onItem({ kind: 'delta', step: 1, attempt: 1, text: 'lo' });
    progress.onItem({ kind: 'delta', step: 1, attempt: 2, text: 'Again' });
    progress.onItem({ kind: 'output', action_id: 'c1', text: 'compiling\n' });
    progress.onItem({ kind: 'event', event: { id: '1', type: 'user_stop' } });
    const shown = host.stderr.text.split('\r\u001b[K');
    expect(shown.map(stripVTControlCharacters)).toEqual([
      '',
      '… Hel',
      '… Hello',
      '… Again',
      '… compiling',
      'stopped by the user\n',
    ]);
  });
});

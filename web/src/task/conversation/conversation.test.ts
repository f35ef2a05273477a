import type { Attachment, TaskEvent } from '@errand/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureThreadMs } from '../../../../test/support/base/thread-time.ts';
import { Conversation } from './conversation.ts';
import type { Row } from './row.ts';

type Payload = { [Type in TaskEvent['type']]: Omit<Extract<TaskEvent, { type: Type }>, 'id' | 'timestamp'> }[TaskEvent['type']];

/** A log: ids sort by position, times are a second apart. */
function logOf(payloads: readonly Payload[]): TaskEvent[] {
  return payloads.map((payload, index) => {
    return { id: `e${String(index).padStart(8, '0')}`, timestamp: 1_000 * (index + 1), ...payload };
  });
}

const file = (filename: string): Attachment => ({ type: 'file', filename, url: `/f/${filename}`, content_type: 'text/plain' });
const say = (content: string, attachments: Attachment[] = []): Payload => ({
  type: 'user_message',
  user_message: { content, message_type: 'text', attachments },
});
const reply = (content: string, attachments: Attachment[] = []): Payload => ({
  type: 'assistant_message',
  assistant_message: { content, attachments },
});
const explain = (content: string): Payload => ({ type: 'explanation', explanation: { content } });
const status = (agent_status: 'running' | 'waiting' | 'stopped' | 'error', status_detail = {}): Payload => ({
  type: 'status_update',
  status_update: { agent_status, brief: `is ${agent_status}`, description: '', status_detail },
});
function use(action_id: string, more: Partial<Extract<TaskEvent, { type: 'tool_used' }>['tool_used']> = {}): Payload {
  const message = { action: 'Running a command', param: 'ls' };
  const used = { tool: 'run_shell', action_id, status: 'success' as const, brief: 'Running ls', description: 'a\nb', message };
  return { type: 'tool_used', tool_used: { ...used, ...more } };
}
const plan = (...titles: string[]): Payload => ({
  type: 'plan_update',
  plan_update: { steps: titles.map((title) => ({ title, status: 'todo', started_at: null, end_at: null })) },
});

function fold(events: readonly TaskEvent[]): Conversation {
  const conversation = new Conversation();
  for (const event of events) conversation.append(event);
  return conversation;
}

function rowsOf(conversation: Conversation): Row[] {
  const view = conversation.view();
  return Array.from({ length: view.length }, (_, index) => view.rowAt(index)).filter((row) => row !== undefined);
}

function shownBy(conversation: Conversation) {
  const { status: now, brief, plan: phases, files, steps, chapters, lastEventId, firstEventId } = conversation;
  return { rows: rowsOf(conversation), now, brief, phases, files, steps, chapters, lastEventId, firstEventId };
}

const anyPayload = fc.oneof(
  fc.string().map((text) => say(text)),
  fc.constantFrom('a.txt', 'b.txt').map((name) => say('look', [file(name)])),
  fc.string().map((text) => reply(text)),
  fc.constantFrom('a.txt', 'b.txt').map((name) => reply('done', [file(name)])),
  fc.string().map(explain),
  fc.constantFrom('c1', 'c2', 'c3').map((id) => use(id)),
  fc.constantFrom('c1', 'c2').map((id) => use(id, { params: { command: 'rm -r x' } })),
  fc.constantFrom('c1', 'c2').map((id) => use(id, { status: 'error', declined: true })),
  fc.constantFrom('running' as const, 'stopped' as const, 'error' as const).map((to) => status(to)),
  fc.constant(status('waiting', { waiting_for_event_type: 'messageAskUser', waiting_description: 'Which?\n\n- a\n- b' })),
  fc.constant(status('waiting', { waiting_for_event_type: 'terminalExecute', waiting_description: 'rm' })),
  fc.constant(plan('one', 'two')),
  fc.constant<Payload>({ type: 'new_plan_step', new_plan_step: { step_id: 's', title: 'three' } }),
  fc.constant<Payload>({ type: 'user_stop', user_stop: {} }),
  fc.constant<Payload>({ type: 'error_message', error_message: { error_type: 'x', content: 'no' } }),
  fc.constant<Payload>({
    type: 'structured_output_result',
    structured_output_result: { success: true, value: { a: 1 }, error: null },
  }),
);
const anyLog = fc.array(anyPayload, { maxLength: 60 }).map(logOf);

describe('a conversation', () => {
  it('shows that a tool runs again, between what happened before and after', () => {
    const about = { tool: 'run_shell', action_id: 'c1', attempt: 2, reason: 'crash' as const, first_started_at: 1_700_000_000 };
    const rows = rowsOf(fold(logOf([reply('Now.'), { type: 'step_repeated', step_repeated: about }, use('c1')])));
    expect(rows.map(({ kind }) => kind)).toEqual(['agent', 'repeat', 'work']);
    expect(rows[1]).toMatchObject({ tool: 'run_shell', reason: 'crash', firstAtMs: 1_700_000_000_000 });
  });

  it('tells which model it waits for, until anything else happens', () => {
    const about = { provider: 'openai', model: 'openai/gpt-5', since: 1_700_000_000, next_try_at: 1_700_000_060 };
    const waiting: Payload = { type: 'model_waiting', model_waiting: about };
    expect(fold(logOf([reply('Now.'), waiting])).notices.modelWaiting).toEqual(about);
    expect(rowsOf(fold(logOf([reply('Now.'), waiting])))).toHaveLength(1);
    expect(fold(logOf([waiting, reply('Now.')])).notices.modelWaiting).toBeNull();
  });

  it('is the same however its events arrive: in parts, repeated, or backward from the newest page', () => {
    fc.assert(
      fc.property(anyLog, fc.array(fc.nat(60), { maxLength: 8 }), fc.nat(60), (log, cuts, start) => {
        const whole = shownBy(fold(log));
        // Each batch overlaps the previous one, as after an inexact resume.
        const again = new Conversation();
        let from = 0;
        for (const cut of [...cuts.toSorted((a, b) => a - b), log.length]) {
          for (const event of log.slice(Math.max(0, from - 7), cut)) again.append(event);
          from = Math.max(from, cut);
        }
        expect(shownBy(again)).toEqual(whole);
        const backwards = fold(log.slice(start));
        for (let end = Math.min(start, log.length); end > 0; end -= 5)
          backwards.prepend(log.slice(Math.max(0, end - 5), end + 2));
        expect(shownBy(backwards)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it('can be seen as it was after any of its events', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(59), (log, at) => {
        const event = log[at % Math.max(1, log.length)];
        if (!event) return;
        const conversation = fold(log);
        const past = conversation.until(event.id);
        expect(shownBy(past)).toEqual(shownBy(fold(log.slice(0, log.indexOf(event) + 1))));
        expect(conversation.until(event.id)).toBe(past);
      }),
    );
  });

  it('gives each row a unique key, and replaces rows instead of mutating them', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const conversation = new Conversation();
        const seen = new Map<Row, string>();
        for (const event of log) {
          conversation.append(event);
          for (const row of rowsOf(conversation)) if (!seen.has(row)) seen.set(row, JSON.stringify(row));
        }
        const keys = rowsOf(conversation).map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        for (const [row, was] of seen) expect(JSON.stringify(row)).toBe(was);
      }),
    );
  });

  it('is built in time proportional to its events', () => {
    const log = logOf(
      Array.from({ length: 128_000 }, (_, index) => (index % 3 === 0 ? explain(`step ${index}`) : use(`c${index}`))),
    );
    const [short, long] = [log.slice(0, 4_000), log];
    fold(log.slice(0, 16_000));
    // In turns, so that what else the machine does falls on both alike.
    const rounds = [1, 2, 3].map(() => ({
      short: measureThreadMs(() => fold(short)),
      long: measureThreadMs(() => fold(long)),
    }));
    const best = { short: Math.min(...rounds.map((round) => round.short)), long: Math.min(...rounds.map((round) => round.long)) };
    // With 32 times as many events quadratic work takes a thousand times as long; memory alone may double what each costs.
    expect(best.long).toBeLessThan(300 * Math.max(1, best.short));
  });

  it('groups calls, separates the plan, and ends turns with who ended them', () => {
    const conversation = fold(
      logOf([
        say('go'),
        status('running'),
        explain('Looking.'),
        use('c1'),
        use('p1', { tool: 'update_plan' }),
        plan('one', 'two'),
        use('c2', { status: 'error' }),
        reply('Here.', [file('out.txt')]),
        status('stopped'),
        say('more'),
        status('running'),
        { type: 'user_stop', user_stop: {} },
        status('stopped'),
      ]),
    );
    const rows = rowsOf(conversation);
    expect(rows.map(({ kind }) => kind)).toEqual(['user', 'agent', 'work', 'agent', 'end', 'user', 'end']);
    expect(rows[2]).toMatchObject({ key: 'work:c1', fromMs: 3_000, calls: [{ key: 'c1' }, { key: 'c2', state: 'error' }] });
    expect(rows[4]).toMatchObject({ by: 'agent', fromMs: 1_000, atMs: 9_000 });
    expect(rows[6]).toMatchObject({ by: 'user', fromMs: 10_000 });
    expect(conversation.plan).toHaveLength(2);
    expect(conversation.files).toEqual([{ attachment: file('out.txt'), isFromAgent: true, atMs: 8_000, eventId: 'e00000007' }]);
  });

  it('shows a question as open until it is answered', () => {
    const ask = { waiting_for_event_id: 'e00000002', waiting_for_event_type: 'messageAskUser' };
    const log = logOf([
      say('go'),
      status('running'),
      reply('Which **colour**?\n\n- red\n- green'),
      status('waiting', { ...ask, waiting_description: 'Which **colour**?\n\n- red\n- green' }),
      say('red'),
      status('running'),
    ]);
    const asked = fold(log.slice(0, 4));
    expect(rowsOf(asked).map(({ kind }) => kind)).toEqual(['user', 'question']);
    const question = { key: 'e00000002', isBudget: false, text: 'Which **colour**?', suggestions: ['red', 'green'] };
    expect(rowsOf(asked)[1]).toMatchObject({ ...question, isOpen: true });
    expect(rowsOf(fold(log))[1]).toMatchObject({ ...question, isOpen: false });
  });

  it('warns of a budget that is nearly used up until the next message, or until it is raised', () => {
    const use80 = { scope: 'task' as const, period: 'reply' as const, credits: 10, used: 8 };
    const spent = [say('go'), status('running'), { type: 'budget_warning', budget_warning: use80 } as const, reply('Half.')];
    const waiting = { waiting_for_event_id: 'e00000003', waiting_for_event_type: 'budget', waiting_description: 'Raise it.' };
    const reached = [...spent, status('waiting', waiting)];
    expect(fold(logOf(spent)).notices.budgetWarning).toEqual(use80);
    expect(fold(logOf([...spent, say('more')])).notices.budgetWarning).toBeNull();
    expect(fold(logOf(reached)).notices.budgetWarning).toEqual(use80);
    expect(rowsOf(fold(logOf(reached))).slice(1)).toMatchObject([
      { kind: 'agent', key: 'e00000003', text: 'Half.' },
      { kind: 'question', isBudget: true, text: 'Raise it.', isOpen: true },
    ]);
    const raised = fold(logOf([...reached, status('running')]));
    expect(raised.notices.budgetWarning).toBeNull();
    expect(rowsOf(raised).at(-1)).toMatchObject({ isBudget: true, isOpen: false });
  });

  it('shows what a pending action would do, and afterward the decision', () => {
    const waiting = { waiting_for_event_id: 'e00000002', waiting_for_event_type: 'terminalExecute', waiting_description: 'rm' };
    const schema = { type: 'object', properties: { accept: { type: 'boolean' } } };
    const before = [say('go'), status('running'), use('c1', { params: { command: 'rm -r x' } })];
    const asked = [...before, status('waiting', { ...waiting, confirm_input_schema: schema })];
    const open = { kind: 'confirm', eventId: 'e00000002', actionKind: 'terminalExecute', params: { command: 'rm -r x' }, schema };
    const outcomeOf = (...then: Payload[]) => rowsOf(fold(logOf([...asked, ...then])))[1];
    expect(outcomeOf()).toMatchObject({ ...open, outcome: 'open' });
    expect(outcomeOf(status('running'))).toMatchObject({ ...open, outcome: 'decided' });
    expect(outcomeOf(status('running'), use('c1'))).toMatchObject({ ...open, outcome: 'allowed' });
    const refused = use('c1', { status: 'error', declined: true });
    expect(outcomeOf(status('running'), refused)).toMatchObject({ ...open, outcome: 'declined' });
    expect(outcomeOf(status('running'), use('c1', { status: 'error', description: 'Not done: no.' }))).toMatchObject({
      outcome: 'allowed',
    });
    expect(outcomeOf(say('rather not'), status('running'), refused)).toMatchObject({ ...open, outcome: 'passed' });
    expect(outcomeOf({ type: 'user_stop', user_stop: {} }, status('stopped'))).toMatchObject({ ...open, outcome: 'passed' });
    // A reader without access to tools sees only the description.
    const unseen = rowsOf(fold(logOf([say('go'), status('running'), status('waiting', waiting)])))[1];
    expect(unseen).toMatchObject({ kind: 'confirm', eventId: 'e00000002', description: 'rm', params: {}, outcome: 'open' });
  });
});

describe('transient content', () => {
  const begun = logOf([say('go'), status('running')]);
  const after = (...payloads: Payload[]) => logOf([say('go'), status('running'), ...payloads]).slice(2);

  it('never changes the result of the log, whatever arrives or is missed', () => {
    const anyDelta = fc.record({
      step: fc.integer({ min: 1, max: 5 }),
      attempt: fc.integer({ min: 1, max: 2 }),
      at: fc.nat(30),
      text: fc.string(),
    });
    const anyOutput = fc.record({
      action_id: fc.constantFrom('c1', 'c2'),
      tool: fc.constant('run_shell'),
      at: fc.nat(30),
      text: fc.string(),
    });
    fc.assert(
      fc.property(anyLog, fc.array(fc.oneof(anyDelta, anyOutput)), fc.nat(5), (log, pieces, every) => {
        const end = logOf([...log, status('stopped')]);
        const conversation = new Conversation();
        let next = 0;
        for (const event of end) {
          for (const piece of pieces.slice(next, (next += every))) {
            if ('action_id' in piece) conversation.addOutput(piece);
            else conversation.addDelta(piece);
          }
          conversation.append(event);
          const keys = rowsOf(conversation).map(({ key }) => key);
          expect(new Set(keys).size).toBe(keys.length);
        }
        // Anything after the end of the turn is late.
        for (const piece of pieces) {
          if ('action_id' in piece) conversation.addOutput(piece);
          else conversation.addDelta(piece);
        }
        // What was written of a reply that somebody stopped is all that stays.
        const { rows, ...others } = shownBy(conversation);
        expect({ ...others, rows: rows.filter(({ kind }) => kind !== 'stopped') }).toEqual(shownBy(fold(end)));
      }),
    );
  });

  it('shows a reply as it is generated, and replaces it with the message', () => {
    const conversation = fold(begun);
    conversation.addDelta({ step: 1, attempt: 1, at: 0, text: 'Hel' });
    conversation.addDelta({ step: 1, attempt: 1, at: 3, text: 'lo' });
    conversation.addDelta({ step: 1, attempt: 1, at: 3, text: 'lo' });
    expect(rowsOf(conversation).at(-1)).toMatchObject({ kind: 'draft', text: 'Hello', isCut: false });
    conversation.addDelta({ step: 1, attempt: 2, at: 0, text: 'Good' });
    conversation.addDelta({ step: 1, attempt: 1, at: 5, text: ' late' });
    expect(rowsOf(conversation).at(-1)).toMatchObject({ kind: 'draft', text: 'Good' });
    for (const event of after(reply('Good day'))) conversation.append(event);
    conversation.addDelta({ step: 1, attempt: 2, at: 4, text: ' day' });
    expect(rowsOf(conversation).map(({ kind }) => kind)).toEqual(['user', 'agent']);
  });

  it('keeps what was written of a reply that its reader stops, however the log is read afterward', () => {
    const stop: Payload[] = [{ type: 'user_stop', user_stop: {} }, status('stopped')];
    const conversation = fold(begun);
    conversation.addDelta({ step: 1, attempt: 1, at: 0, text: 'Half a rep' });
    for (const event of after(...stop)) conversation.append(event);
    const kinds = (of: Conversation) => rowsOf(of).map(({ kind }) => kind);
    expect(kinds(conversation)).toEqual(['user', 'stopped', 'end']);
    expect(rowsOf(conversation)[1]).toMatchObject({ text: 'Half a rep' });
    for (const event of logOf([say('go'), status('running'), ...stop, say('on'), status('running'), reply('All of it.')]).slice(
      4,
    ))
      conversation.append(event);
    expect(kinds(conversation)).toEqual(['user', 'stopped', 'end', 'user', 'agent']);
    expect(kinds(conversation.until('e00000004'))).toEqual(['user', 'stopped', 'end', 'user']);
    const anew = conversation.renew();
    for (const event of after(...stop)) anew.append(event);
    anew.prepend(begun);
    expect(kinds(anew)).toEqual(['user', 'stopped', 'end']);
  });

  it('keeps the beginning of the next reply if it arrives before the end of the previous one', () => {
    const conversation = fold(begun);
    conversation.addDelta({ step: 1, attempt: 1, at: 0, text: 'Looking' });
    conversation.addDelta({ step: 2, attempt: 1, at: 0, text: 'Found' });
    for (const event of after(explain('Looking around'), use('c1'))) conversation.append(event);
    expect(rowsOf(conversation).map(({ kind }) => kind)).toEqual(['user', 'agent', 'work', 'draft']);
    expect(rowsOf(conversation).at(-1)).toMatchObject({ text: 'Found' });
  });

  it('ignores pieces of a reply or an output that arrive after its end', () => {
    const conversation = fold(begun);
    for (const event of after(explain('Looking around'), use('c1'))) conversation.append(event);
    conversation.addDelta({ step: 1, attempt: 1, at: 0, text: 'Looking' });
    conversation.addDelta({ step: 1, attempt: 1, at: 7, text: ' around' });
    conversation.addOutput({ action_id: 'c1', tool: 'run_shell', at: 0, text: 'late' });
    expect(rowsOf(conversation).map(({ kind }) => kind)).toEqual(['user', 'agent', 'work']);
    conversation.addDelta({ step: 2, attempt: 1, at: 0, text: 'Look' });
    expect(rowsOf(conversation).at(-1)).toMatchObject({ kind: 'work', calls: [{ state: 'success' }] });
    conversation.addDelta({ step: 2, attempt: 1, at: 4, text: ' here' });
    expect(rowsOf(conversation).at(-1)).toMatchObject({ kind: 'draft', text: 'Look here' });
  });

  it('marks a reply and an output whose beginnings were missed', () => {
    const conversation = fold(begun);
    conversation.addDelta({ step: 1, attempt: 1, at: 20, text: 'the end' });
    conversation.addOutput({ action_id: 'c1', tool: 'run_shell', at: 7, text: 'tail' });
    const [, work, draft] = rowsOf(conversation);
    expect(draft).toMatchObject({ text: 'the end', isCut: true });
    expect(work).toMatchObject({ kind: 'work', calls: [{ output: 'tail', isCut: true, state: 'running' }] });
    conversation.addOutput({ action_id: 'c1', tool: 'run_shell', at: 0, text: 'anew' });
    expect(rowsOf(conversation)[1]).toMatchObject({ calls: [{ output: 'anew', isCut: false }] });
    for (const event of after(use('c1', { description: 'anew\nall' }))) conversation.append(event);
    conversation.addOutput({ action_id: 'c1', tool: 'run_shell', at: 4, text: 'late' });
    expect(rowsOf(conversation)[1]).toMatchObject({ key: 'work:c1', calls: [{ output: 'anew\nall', state: 'success' }] });
  });

  it('shows a message that is being sent once, whether its event or the response arrives first', () => {
    for (const order of ['answer', 'event'] as const) {
      const conversation = fold(begun);
      conversation.addPending({ key: 'k1', text: 'and now?', filenames: [], atMs: 5, behind: 'e00000001' });
      expect(rowsOf(conversation).at(-1)).toMatchObject({ kind: 'pending', delivery: 'sending' });
      if (order === 'answer') conversation.markPending('k1', 'accepted');
      for (const event of after(say('and now?'))) conversation.append(event);
      if (order === 'event') conversation.markPending('k1', 'accepted');
      expect(rowsOf(conversation).map(({ kind }) => kind)).toEqual(['user', 'user']);
    }
  });

  it('never mistakes an earlier message for one that is being sent, even with the same text', () => {
    const log = logOf([say('go'), status('running'), say('again'), status('stopped')]);
    const conversation = new Conversation();
    conversation.addPending({ key: 'k1', text: 'again', filenames: [], atMs: 5, behind: 'e00000003' });
    for (const event of log) conversation.append(event);
    expect(rowsOf(conversation).at(-1)).toMatchObject({ kind: 'pending', text: 'again' });
  });

  it('keeps a message that could not be sent until it is resent, and removes it if it did arrive', () => {
    const conversation = fold(begun);
    conversation.addPending({ key: 'k1', text: 'first', filenames: [], atMs: 5, behind: 'e00000001' });
    conversation.markPending('k1', 'failed', 'no connection');
    conversation.addPending({ key: 'k2', text: 'second', filenames: ['a.txt'], atMs: 6, behind: 'e00000001' });
    for (const event of after(say('somebody else'))) conversation.append(event);
    expect(rowsOf(conversation).map(({ kind }) => kind)).toEqual(['user', 'user', 'pending', 'pending']);
    const [, , , ...mine] = logOf([
      say('go'),
      status('running'),
      say('somebody else'),
      say('first'),
      say('second', [file('a.txt')]),
    ]);
    for (const event of mine) conversation.append(event);
    expect(rowsOf(conversation).map(({ kind }) => kind)).toEqual(['user', 'user', 'user', 'user']);
  });
});

import fc from 'fast-check';
import { failureEvents, finishEvents } from '../../../src/agent/ending.ts';
import { nextStep } from '../../../src/rules/tasks/next-step.ts';
import { messageEvents, stopEvents } from '../../../src/rules/tasks/task-command.ts';
import type {
  Attachment,
  LoggedEvent,
  Made,
  ModelPart,
  OutputSchema,
  TaskEvent,
  TokenUsage,
  UserMessage,
} from '../../../src/rules/events/task-event.ts';
import { askTool, emptyState, fold, type TaskState } from '../../../src/rules/tasks/task-state.ts';

/** Numbers that determine what happens next. */
type Chance = () => number;

interface Making {
  state: TaskState;
  /** The worker has an extraction in progress; it does not know of later messages. */
  isExtracting: boolean;
  count: number;
}

const usage: TokenUsage = { input: 10, output: 3, cached: 2 };

/** Different schemas, so that a test can tell which one is armed. */
export function makeSchema(name: string): OutputSchema {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name], additionalProperties: false };
}

/** A voice message that is transcribed later. */
function speak(count: number): Partial<UserMessage> {
  const file = { filename: 'memo.ogg', contentType: 'audio/ogg', bytes: 1, blobId: `voice ${count}` };
  return { kind: 'voice', attachments: [{ kind: 'voice', ...file }] };
}

/** A message with a file that is fetched later. */
function sendLate(count: number): Partial<UserMessage> {
  return { awaited: [{ id: `f${count}`, kind: 'file', filename: 'late.txt', contentType: null, sealedUrl: 'sealed' }] };
}

function makeMessage(making: Making, chance: Chance): UserMessage {
  const choice = chance() % 6;
  const files = choice === 0 ? speak(making.count) : choice === 1 ? sendLate(making.count) : {};
  const message: UserMessage = { type: 'user_message', text: `message ${making.count}`, kind: 'text', ...files };
  return chance() % 4 === 0 ? { ...message, outputSchema: makeSchema(`s${making.count}`) } : message;
}

function makeParts(making: Making, chance: Chance): ModelPart[] {
  const text: ModelPart = { type: 'text', text: `reply ${making.count}` };
  const calls = Array.from({ length: chance() % 4 }, (_, index): ModelPart => {
    const tool = chance() % 4 === 0 ? askTool : (['read_file', 'write_file'][chance() % 2] ?? '');
    return { type: 'call', id: `c${making.count}-${index}`, tool, input: { question: `question ${making.count}` } };
  });
  return chance() % 3 === 0 && calls.length > 0 ? calls : [text, ...calls];
}

function finishModel(making: Making, chance: Chance): TaskEvent[] {
  const parts = makeParts(making, chance);
  const text = `reply ${making.count}`;
  const finished: TaskEvent = { type: 'model_finished', step: making.state.step + 1, parts, usage };
  const hasCalls = parts.some((part) => part.type === 'call');
  return [finished, hasCalls ? { type: 'explained', text } : { type: 'assistant_message', text }];
}

function failModel({ state }: Making, attempt: number, chance: Chance): TaskEvent[] {
  const at = { step: state.step + 1, attempt };
  const failed: TaskEvent = { type: 'model_failed', ...at, reason: 'away', retryAt: state.lastAtMs + 1000, usage };
  return chance() % 3 === 0 ? [failed, ...failureEvents(state, 'model_refused', 'no')] : [failed];
}

const paths = ['a.html', 'a.pptx', 'b.html', 'b.pptx', 'c.txt'];

/** Occasionally generates a deck, or replaces one with a plain file. */
function make(chance: Chance): { made?: Made[] } {
  const name = chance() % 2 === 0 ? 'a' : 'b';
  const forms = { html: `${name}.html`, pptx: `${name}.pptx` };
  if (chance() % 4 === 0) return { made: [{ kind: 'slides', path: forms.html, forms }] };
  return chance() % 4 === 0 ? { made: [{ kind: 'file', path: paths[chance() % paths.length] ?? '' }] } : {};
}

function deliver({ count }: Making, chance: Chance): TaskEvent {
  const path = paths[chance() % paths.length] ?? '';
  const attachment: Attachment = { kind: 'file', blobId: `blob ${count}`, filename: path, contentType: 'text/plain', bytes: 1 };
  return { type: 'file_delivered', artifactId: `artifact ${path}`, path, displayName: path, attachment };
}

function endCall(callId: string, tool: string, making: Making, chance: Chance): TaskEvent[] {
  const status = chance() % 3 === 0 ? 'error' : 'success';
  const output = `output of ${callId}`;
  const about = { brief: 'b', action: 'a', param: 'p' };
  const finished: TaskEvent = { type: 'tool_finished', callId, tool, status, output, ...about, ...make(chance) };
  if (chance() % 4 === 0) return [finished, deliver(making, chance)];
  if (chance() % 3 > 0) return [finished];
  const title = `plan ${making.count}`;
  const plan: TaskEvent = { type: 'plan_updated', steps: [{ title, status: 'todo', startedAt: null, endedAt: null }] };
  return [finished, plan, { type: 'plan_step_added', stepId: `${callId}-1`, title }];
}

function askAbout(callId: string, tool: string): TaskEvent[] {
  return [
    { type: 'action_prepared', callId, tool, params: {}, brief: 'b', action: 'a', param: 'p' },
    { type: 'waiting', callId, question: 'b: p', action: { kind: 'connectorAction', schema: {} } },
  ];
}

function fetchLate(id: string, filename: string, { count }: Making, chance: Chance): TaskEvent {
  if (chance() % 3 === 0) return { type: 'file_fetched', id, filename, attachment: null, problem: 'no' };
  const attachment: Attachment = { kind: 'file', blobId: `late ${count}`, filename, contentType: 'text/plain', bytes: 1 };
  return { type: 'file_fetched', id, filename, attachment, problem: null };
}

/** What the worker may log now: it follows `nextStep`, and its calls succeed, fail, are late or never end. */
function makeWork(making: Making, chance: Chance): TaskEvent[] {
  const { state } = making;
  if (making.isExtracting && chance() % 2 === 0) {
    making.isExtracting = false;
    const { starts: attempt } = state.extraction;
    const isMisfit = chance() % 2 === 0;
    if (chance() % 4 === 0) return [{ type: 'extract_failed', attempt, reason: 'no', isMisfit, retryAt: 0, usage }];
    const value = { found: making.count };
    return [{ type: 'extract_finished', success: true, value, error: null, usage }];
  }
  const decision = nextStep(state);
  switch (decision.do) {
    case 'idle':
      return [];
    case 'model': {
      const { step, attempt } = decision;
      if (!state.modelOpen || chance() % 5 === 0)
        return [{ type: 'model_started', step, attempt, model: 'test/one', estimatedInput: 1 }];
      return chance() % 4 === 0 ? failModel(making, attempt, chance) : finishModel(making, chance);
    }
    case 'fetch':
      return decision.files.map(({ id, filename }) => fetchLate(id, filename, making, chance));
    case 'listen':
      return [{ type: 'voice_transcribed', path: decision.voice.path, text: `words ${making.count}`, problem: null }];
    case 'load':
      return [{ type: 'skill_loaded', skillId: decision.skillId, text: `skill ${making.count}` }];
    case 'tools': {
      const call = decision.calls[chance() % decision.calls.length] ?? decision.calls[0];
      if (!call) return [];
      const { id: callId, tool } = call;
      if (call.starts === 0 && call.isAccepted === undefined && chance() % 8 === 0) return askAbout(callId, tool);
      return chance() % 4 === 0
        ? [{ type: 'tool_started', callId, tool, attempt: call.starts + 1 }]
        : endCall(callId, tool, making, chance);
    }
    case 'subtasks':
      return [];
    case 'ask': {
      const { id: callId, tool } = decision.call;
      if (state.pendingMessages.length > 0 || chance() % 5 === 0) return endCall(callId, tool, making, () => 0);
      const question = `question ${making.count}`;
      return [
        { type: 'assistant_message', text: question },
        { type: 'waiting', callId, question },
      ];
    }
    case 'extract':
      making.isExtracting = true;
      return [{ type: 'extract_started', attempt: decision.attempt, model: 'test/one', estimatedInput: 1 }];
    case 'finish':
      return finishEvents(state);
  }
}

function makeBatch(making: Making, chance: Chance): TaskEvent[] {
  const { state } = making;
  const isIdle = state.status !== 'running';
  const choice = chance() % 12;
  if (state.seq === 0 || choice === 0 || (isIdle && choice < 6))
    return messageEvents(state.status, makeMessage(making, chance), chance() % 4 === 0 ? { forcedSkills: ['s'] } : {});
  if (choice === 1) return stopEvents(state.status);
  if (state.status === 'waiting' && state.waitingFor !== null && state.waitingKind !== null) {
    const decided: TaskEvent = { type: 'decided', callId: state.waitingFor, isAccepted: chance() % 2 === 0, isLasting: false };
    return [decided, { type: 'running', brief: 'Going on' }];
  }
  return makeWork(making, chance);
}

/** A log as written by the commands and the agent, in the same batches. */
export function makeLog(length: number, chance: Chance): LoggedEvent[][] {
  const making: Making = { state: { ...emptyState, status: 'stopped' }, isExtracting: false, count: 0 };
  const batches: LoggedEvent[][] = [];
  let atMs = 1_000_000;
  for (let count = 0; count < length; count += 1) {
    making.count = count;
    const events = making.state.seq === 0 ? firstBatch(making, chance) : makeBatch(making, chance);
    const logged = events.map(
      (event, index): LoggedEvent => ({ seq: making.state.seq + 1 + index, atMs: (atMs += 1 + (count % 3)), event }),
    );
    if (logged.length === 0) continue;
    making.state = logged.reduce(fold, making.state.seq === 0 ? emptyState : making.state);
    if (making.state.status !== 'running') making.isExtracting = false;
    batches.push(logged);
  }
  return batches;
}

function firstBatch(making: Making, chance: Chance): TaskEvent[] {
  return [makeMessage(making, chance), { type: 'running', brief: 'Started' }];
}

/** Legal logs of up to `maxBatches` writes; fast-check can shorten them. */
export function taskLogs(maxBatches: number): fc.Arbitrary<LoggedEvent[][]> {
  const choices = fc.array(fc.nat({ max: 59 }), { minLength: 4, maxLength: maxBatches * 4, size: 'max' });
  return choices.map((numbers) => {
    let at = 0;
    return makeLog(Math.ceil(numbers.length / 4), () => numbers[at++ % numbers.length] ?? 0);
  });
}

import type { ToolResult } from '../../rules/context/transcript.ts';
import type { Instruction, LineCall } from './line-words.ts';
import type { Trouble, Work, WorkCall, WorkReply } from './scripted-work.ts';

interface LineStep {
  call: LineCall;
  /** The calls of this step, all in one reply. The first is the line's own; its result is the outcome. */
  calls: readonly WorkCall[];
  /** The index of their first result. */
  firstResult: number;
  before: Prelude;
}

/** What precedes a reply: what is said in it, and what delays or prevents it. */
interface Prelude {
  says: readonly string[];
  isSlow: boolean;
  trouble: Trouble;
}

const nothing: Prelude = { says: [], isSlow: false, trouble: {} };

/** Several lines of one kind add up. */
function addTrouble(one: Trouble, other: Trouble): Trouble {
  const [waitMs, refusals] = [(one.waitMs ?? 0) + (other.waitMs ?? 0), (one.refusals ?? 0) + (other.refusals ?? 0)];
  return { ...one, ...other, ...(waitMs > 0 && { waitMs }), ...(refusals > 0 && { refusals }) };
}

function addLine(before: Prelude, line: Exclude<Instruction, { type: 'call' }>): Prelude {
  if (line.type === 'trouble') return { ...before, trouble: addTrouble(before.trouble, line.trouble) };
  return { ...before, says: [...before.says, line.text], isSlow: before.isSlow || line.isSlow === true };
}

function replyAfter({ trouble, isSlow }: Prelude, text: string, calls: readonly WorkCall[]): WorkReply {
  return { text, calls, trouble, isSlow };
}

const longestShown = 1_000;

function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

function describeDone({ call }: LineStep, result: ToolResult): string {
  return call.showsResult ? `${call.done}:\n${shorten(result.output, longestShown)}` : call.done;
}

/** The first line of an error, without the bracketed exit status of commands. */
function describeProblem({ output }: ToolResult): string {
  return shorten((output.split('\n', 1)[0] ?? '').replace(/^\[(.*)\]$/, '$1'), 200);
}

function listUnder(heading: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  return [items.length === 1 ? `${heading}: ${items[0]}` : [`${heading}:`, ...items.map((item) => `- ${item}`)].join('\n')];
}

/** The outcome of every line. Successes are omitted if the text already answers the user. */
function sumUp(
  steps: readonly LineStep[],
  results: readonly ToolResult[],
  skipped: readonly LineCall[],
  says: readonly string[],
): string {
  const outcomes = steps.flatMap((step) => {
    const own = results.slice(step.firstResult, step.firstResult + step.calls.length);
    // A generated file that could not be delivered counts as failed.
    const result = own.find(({ isError }) => isError) ?? own[0];
    return result ? [{ step, result }] : [];
  });
  const done = outcomes.filter(({ result }) => !result.isError).map(({ step, result }) => describeDone(step, result));
  const failed = outcomes.filter(({ result }) => result.isError);
  const failures = failed.map(({ step, result }) => `${step.call.request} (${describeProblem(result)})`);
  const impossible = skipped.map((call) => `${call.request} (the tool ${call.tool} is not available in this task)`);
  const answer = says.length > 0 ? [says.join('\n')] : listUnder('Done', done);
  return [...answer, ...listUnder('Failed', failures), ...listUnder('Not possible', impossible)].join('\n\n');
}

function callsOf({ tool, input, delivers }: LineCall, isOffered: (tool: string) => boolean): WorkCall[] {
  const own = { tool, input };
  return delivers !== undefined && isOffered('deliver')
    ? [own, { tool: 'deliver', input: { files: [{ path: delivers }] } }]
    : [own];
}

/** Executes lines, one per reply. A line whose tool is not offered is skipped and named in the summary. */
export function createLineWork(instructions: readonly Instruction[], isOffered: (tool: string) => boolean): Work {
  const steps: LineStep[] = [];
  const skipped: LineCall[] = [];
  let before = nothing;
  for (const instruction of instructions) {
    if (instruction.type !== 'call') before = addLine(before, instruction);
    else if (isOffered(instruction.call.tool)) {
      const firstResult = steps.reduce((count, { calls }) => count + calls.length, 0);
      steps.push({ call: instruction.call, calls: callsOf(instruction.call, isOffered), firstResult, before });
      before = nothing;
    } else skipped.push(instruction.call);
  }
  return {
    plannedReplies: steps.length + 1,
    reply(place, results) {
      const step = steps[place];
      if (step) return replyAfter(step.before, step.before.says.join('\n'), step.calls);
      return replyAfter(before, sumUp(steps, results, skipped, before.says), []);
    },
  };
}

import { z } from 'zod';
import type { ToolResult } from '../../rules/context/transcript.ts';
import { readCallInput } from '../call-input.ts';
import type { Work } from './scripted-work.ts';

const fence = '```';
const opening = `${fence}scenario`;

const scenario = z.array(
  z.object({
    text: z.string().default(''),
    calls: z.array(z.object({ tool: z.string(), input: z.unknown().default({}) })).default([]),
    repeat: z.int().min(1).max(1_000_000).default(1),
  }),
);

type ScenarioStep = z.infer<typeof scenario>[number];

/** The text between the fences, or null if there is no scenario. */
function findBlock(text: string): string | null {
  const start = text.indexOf(opening);
  const body = start === -1 ? -1 : text.indexOf('\n', start);
  const end = body === -1 ? -1 : text.indexOf(fence, body);
  return end === -1 ? null : text.slice(body, end);
}

function findStep(steps: readonly ScenarioStep[], place: number): ScenarioStep | null {
  let first = 0;
  for (const step of steps) {
    first += step.repeat;
    if (place < first) return step;
  }
  return null;
}

function sumUp(results: readonly ToolResult[]): string {
  const failures = results.filter((result) => result.isError);
  const listed = failures
    .slice(0, 5)
    .map((result) => `- ${result.tool}: ${result.output.split('\n', 1)[0]?.slice(0, 200) ?? ''}`);
  return [`The scenario is over: ${results.length} tool calls, ${failures.length} failed.`, ...listed].join('\n');
}

/** The work of a text's fenced scenario: one step per reply, with any tools. Null if the text has none. */
export function readScenarioWork(text: string): Work | null {
  const block = findBlock(text);
  if (block === null) return null;
  const checked = scenario.safeParse(readCallInput(block));
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const problem = `The scenario block cannot be used: ${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'invalid'}.`;
    return { plannedReplies: 1, reply: () => ({ text: problem, calls: [] }) };
  }
  const steps = checked.data;
  return {
    plannedReplies: steps.reduce((count, step) => count + step.repeat, 1),
    reply: (place, results) => findStep(steps, place) ?? { text: sumUp(results), calls: [] },
  };
}

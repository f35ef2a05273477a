import type { Texts } from '../../text/en.ts';
import type { ToolCall } from '../conversation/row.ts';

/** What a call does or did, translated if the tool is known. */
export function describeCall(
  { tool, state, action, brief }: Pick<ToolCall, 'tool' | 'state' | 'action' | 'brief'>,
  { task }: Texts,
): string {
  const words = task.tools[tool];
  if (words) return state === 'running' ? words[0] : words[1];
  return action || brief || tool;
}

/** The highlighting language of an output; empty for none. */
export function languageOfOutput(output: string): string {
  if (/^(diff --git |--- \S|@@ -\d)/m.test(output.slice(0, 2_000)) && /^[+-]/m.test(output)) return 'diff';
  return /^\s*[[{]/.test(output) && /[\]}]\s*$/.test(output) ? 'json' : '';
}

/** The highlighting language of what a call was given; empty for none. */
export function languageOfInput(tool: string): string {
  return tool === 'run_shell' ? 'bash' : '';
}

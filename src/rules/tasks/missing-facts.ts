import { reminderMark } from '../context/plan-reminder.ts';
import type { UserEntry } from '../context/transcript.ts';
import { mostSearchSteps } from '../output/extraction-state.ts';

const mostMissing = 20;

/** Asks the agent for the facts that its conversation does not have. */
export function askForMissing(missing: readonly string[]): UserEntry {
  const list = missing.slice(0, mostMissing).map((path) => `- ${path}`);
  const more = missing.length > mostMissing ? [`- and ${missing.length - mostMissing} more`] : [];
  const text = [
    `${reminderMark} Your answer is with the user. The structured result made from this conversation still lacks:`,
    ...list,
    ...more,
    `Look them up now if your tools or files can tell, in at most ${mostSearchSteps} steps, and end with a message that states them.`,
    'Those that nobody can know stay empty: if that is true of all, say so in one line. Change nothing else.',
  ].join('\n');
  return { role: 'user', text, isNote: true };
}

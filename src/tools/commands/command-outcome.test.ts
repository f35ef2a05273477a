import { describe, expect, it } from 'vitest';
import { addEnding, describeExit, explainEnd } from './command-outcome.ts';

describe('the end of a command', () => {
  it('stands on a line of its own, also when nothing was written', () => {
    expect(addEnding('', describeExit(0))).toBe('[exit code 0]');
    expect(addEnding('text', describeExit(2))).toBe('text\n[exit code 2]');
    expect(addEnding('text\n', describeExit(139))).toBe('text\n[exit code 139, ended by signal 11]');
  });

  it('at a limit names the limit and the remedy', () => {
    const explain = (end: Parameters<typeof explainEnd>[0], quota?: string) => explainEnd(end, 120, quota);
    expect(explain('time')).toMatch('ended after 120 seconds; give a longer timeout_seconds');
    expect(explain('memory')).toMatch('1024 MB of memory');
    expect(explain('disk')).toMatch('2048 MB or 200000 files');
    expect(explain('disk', 'the account is full')).toMatch('the account is full; remove what is not needed');
    expect(explain('output')).toMatch('wrote more than 8 MB');
  });
});

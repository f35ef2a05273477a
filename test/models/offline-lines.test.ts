import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { readInstructions } from '../../src/models/offline/instruction-lines.ts';
import { standardTools } from '../../src/tools/standard-tools.ts';

const lines = [
  'write a.md with Hello',
  'read a.md',
  'edit a.md replace Hello with Bye',
  'list',
  'search Hello',
  'ask Is it good?',
  'plan Look; Write',
];

it.each(lines)('"%s" is a call that its tool accepts', (line) => {
  const tools = new Map(standardTools(systemClock).map((tool) => [tool.name, tool]));
  const [instruction] = readInstructions(line);
  if (instruction?.type !== 'call') throw new Error('the line is no call');
  const { tool, input } = instruction.call;
  expect(tools.get(tool)?.input.safeParse(input)).toMatchObject({ success: true });
});

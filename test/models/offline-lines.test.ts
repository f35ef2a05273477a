import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { readInstructions } from '../../src/models/offline/instruction-lines.ts';
import { standardTools } from '../../src/tools/standard-tools.ts';

const lines = [
  'write a.md with Hello',
  'read a.md',
  'edit a.md replace Hello with Bye',
  'list',
  'search Hello',
  'ask Is it good?',
  'skill website',
  'plan Look; Write',
  'chart a.png from "my sales.csv" as line titled Sales of the year',
  'chart a.svg from sales.csv',
  'document a.pdf from report.md',
  'document a.docx with # Hello',
  'slides deck from sales.csv titled Sales',
  'slides deck.pptx with Sales; one point; another',
  'spreadsheet a.xlsx from sales.csv',
  'resize a.png to 320x200 as small.jpg',
];

it.each(lines)('"%s" is a call that its tool accepts', (line) => {
  const tools = new Map(standardTools(systemClock).map((tool) => [tool.name, tool]));
  const [instruction] = readInstructions(line);
  if (instruction?.type !== 'call') throw new Error('the line is no call');
  const { tool, input } = instruction.call;
  expect(tools.get(tool)?.input.safeParse(input)).toMatchObject({ success: true });
});

import { describe, expect, it } from 'vitest';
import { UsageFault } from '../exit-code.ts';
import { parseArguments } from './arguments.ts';

const shape = {
  args: { TASK_ID: 'Which task.', TEXT: 'What to say.' },
  options: {
    file: { type: 'string', short: 'f', multiple: true, about: 'A file.' },
    title: { type: 'string', about: 'A title.' },
    order: { type: 'string', choices: ['asc', 'desc'], about: 'An order.' },
    json: { type: 'boolean', about: 'JSON.' },
  },
} as const;

function complaintOf(...argv: string[]): string {
  try {
    parseArguments(shape, argv);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageFault);
    return (error as UsageFault).message;
  }
  return 'accepted';
}

describe('a command line', () => {
  it('is parsed into named arguments and options, in any order', () => {
    expect(parseArguments(shape, ['--json', 't1', '-f', 'a', 'hello there', '--file=b', '--title', 'T'])).toEqual({
      args: { TASK_ID: 't1', TEXT: 'hello there' },
      options: { json: true, file: ['a', 'b'], title: 'T' },
    });
  });

  it('treats everything after -- as arguments', () => {
    expect(parseArguments(shape, ['t1', '--', '--json']).args).toEqual({ TASK_ID: 't1', TEXT: '--json' });
  });

  it('accepts a single dash as an argument and as a value', () => {
    expect(parseArguments(shape, ['t1', '-', '--title', '-'])).toMatchObject({ args: { TEXT: '-' }, options: { title: '-' } });
  });

  it.each([
    [['t1'], 'TEXT is missing'],
    [['t1', 'a', 'b'], 'unexpected argument "b"; put text of several words in quotes'],
    [['t1', 'a', '--titel', 'x'], 'unknown option --titel; did you mean --title?'],
    [['t1', 'a', '--zzzzzz'], 'unknown option --zzzzzz'],
    [['t1', 'a', '-x'], 'unknown option -x'],
    [['t1', 'a', '--constructor'], 'unknown option --constructor'],
    [['t1', 'a', '--__proto__=1'], 'unknown option --__proto__'],
    [['t1', 'a', '--title'], '--title needs a value (TITLE)'],
    [['t1', 'a', '--title', '--json'], '--title needs a value (TITLE)'],
    [['t1', 'a', '--json=yes'], '--json takes no value'],
    [['t1', 'a', '--title', 'x', '--title', 'y'], '--title can be given only once'],
    [['t1', 'a', '--order', 'up'], '--order must be one of asc, desc'],
  ])('that are invalid are explained: %j', (argv, complaint) => {
    expect(complaintOf(...argv)).toBe(complaint);
  });

  it('accepts a value that starts with a dash after an equals sign', () => {
    expect(parseArguments(shape, ['t1', 'a', '--title=-x']).options).toEqual({ title: '-x' });
  });
});

import { expect, it } from 'vitest';
import { isRiskyCommand } from './confirmation.ts';

it.each([
  'rm -rf build',
  'ls; rm -fr .',
  'cd a && rm -r b',
  'find . -name x -delete',
  'git reset --hard HEAD',
  'git push origin',
  'shred a',
  '(rm -R a)',
])('asks for confirmation of "%s"', (command) => expect(isRiskyCommand(command)).toBe(true));

it.each([
  'rm a.txt',
  'ls -r',
  'npm run x',
  'echo format',
  'git status',
  'grep -r rm .',
  'find . -name delete',
  'git reset a',
  'charm -r x',
])('does not ask for confirmation of "%s"', (command) => expect(isRiskyCommand(command)).toBe(false));

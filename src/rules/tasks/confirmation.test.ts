import { expect, it } from 'vitest';
import { isRiskyCommand } from './confirmation.ts';

it.each([
  'git push origin',
  'git -C a push',
  'ls; rm -fr /memory/account',
  '(rm -R "/memory")',
  'cd /memory && rm -r account',
  'cd a; rm -rf ../..',
  'rm -r build/../../x',
  'find /memory -name x -delete',
  'shred /memory/account/a.md',
  'dd if=/dev/zero of=/memory/account/a.md',
])('asks for confirmation of "%s"', (command) => expect(isRiskyCommand(command)).toBe(true));

it.each([
  'rm -rf build',
  'ls; rm -fr .',
  'cd a && rm -r b 2>/dev/null',
  'rm -rf /workspace/drafts /tmp/x >/dev/null',
  'find . -name x -delete',
  'git reset --hard HEAD',
  'git clean -fd',
  'shred a',
  'rm -r "$dir"; cat /memory/account/a.md',
  'rm /memory/account/a.md',
  'npm run push',
  'git log push',
  'find . -name delete',
  'charm -r /x',
])('does not ask for confirmation of "%s"', (command) => expect(isRiskyCommand(command)).toBe(false));

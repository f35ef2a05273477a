import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import type { Sandbox } from '@errand/sandbox';
import { normaliseWorkspacePath, workspaceMount } from '@errand/sandbox/workspace-path';
import { readFormat } from './file-generation.ts';
import { defineTool, type Tool } from '../toolbox/tool.ts';

export const speechProgram = 'espeak-ng';
const wallMs = 120_000;
/** 22,050 samples of two bytes a second, after a header. */
const bytesPerSecond = 44_100;
const headerBytes = 44;

const input = z.strictObject({
  path: z.string(),
  text: z.string().min(1).max(20_000),
  voice: z
    .string()
    .regex(
      /^[a-z]{2,4}(-[a-z0-9]{2,12}){0,2}(\+[a-z0-9]{1,12})?$/i,
      'must be a language such as "en", "en-us", "de", "pt-br" or "cmn"',
    )
    .default('en')
    .describe('"en-us", "de+f3".')
    .meta({ disclosure: 'later' }),
  words_per_minute: z.int().min(80).max(400).default(165).meta({ disclosure: 'later' }),
  pitch: z.int().min(0).max(99).default(50).meta({ disclosure: 'later' }),
});

/** Creates the parent folder first; the path is passed as an argument, so the shell does not interpret it. */
const script = `mkdir -p -- "$(dirname -- "$1")" && espeak-ng -v "$2" -s "$3" -p "$4" --stdin -w "$1" && stat -c %s -- "$1"`;

/** Speech by the machine's program, inside the sandbox; null if it is not installed. */
export function createMakeAudio(sandbox: Sandbox): Tool | null {
  if (!sandbox.programs.includes(speechProgram)) return null;
  return defineTool({
    name: 'make_audio',
    description: 'Speaks a text into a .wav file.',
    input,
    effect: 'retry',
    summarize: ({ path }) => ({ brief: `Speaking ${path}`, action: 'Making audio', param: path }),
    async run({ path, text, voice, words_per_minute: speed, pitch }, { workspace, signal }) {
      readFormat(path, ['wav']);
      const target = `${workspaceMount}/${normaliseWorkspacePath(path)}`;
      const command = ['sh', '-c', script, 'sh', target, voice, String(speed), String(pitch)];
      const result = await sandbox.run({ workspace, command, stdin: text.toWellFormed(), signal, limits: { wallMs } });
      if (result.end !== 'exit') return { status: 'error', output: `Speaking was ended (${result.end}). Say less at once.` };
      const problem = result.stderr.toString().trim().split('\n', 1)[0] ?? '';
      if (result.exitCode !== 0) throw invalidField('voice', `the text could not be spoken: ${problem.slice(0, 200)}`);
      const seconds = Math.round((Number(result.stdout.toString()) - headerBytes) / bytesPerSecond);
      return { status: 'success', output: `Made ${normaliseWorkspacePath(path)} (${seconds} seconds).` };
    },
  });
}

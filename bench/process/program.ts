import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child } from '../../test/support/process/child.ts';
import { createFolder, removeFolder } from '../../test/support/process/leftovers.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a script of this folder in a process of its own; it reads `input` from a file and writes one line of JSON. */
export async function runProgram<Output>(script: string, input: object): Promise<Output> {
  const folder = createFolder('bench');
  try {
    const file = path.join(folder, 'input.json');
    writeFileSync(file, JSON.stringify(input));
    const child = await startProgram(script, [file]);
    const { code, signal } = await child.ended;
    const answer = child.lines.findLast(({ source }) => source === 'stdout');
    if (code === 0 && answer) return JSON.parse(answer.text) as Output;
    throw new Error(`${script} ended with ${signal ?? code}:\n${child.lines.map(({ text }) => text).join('\n')}`);
  } finally {
    removeFolder(folder);
  }
}

/** Starts a script of this folder that runs until it is ended. */
export function startProgram(script: string, args: readonly string[] = []): Promise<Child> {
  return Child.start(process.execPath, ['--no-warnings', path.join('bench', script), ...args], { env: {}, cwd: checkout });
}

/** Starts a script that reads `input` from a file, uses what it prints, and ends it. */
export async function withProgram<Output>(
  script: string,
  input: object,
  use: (child: Child) => Promise<Output>,
): Promise<Output> {
  const folder = createFolder('bench');
  const file = path.join(folder, 'input.json');
  writeFileSync(file, JSON.stringify(input));
  const child = await startProgram(script, [file]);
  try {
    return await use(child);
  } finally {
    child.signal('SIGKILL');
    await child.ended;
    removeFolder(folder);
  }
}

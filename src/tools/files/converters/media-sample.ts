import type { Sandbox } from '@errand/sandbox';
import type { Workspace } from '@errand/sandbox/workspace';
import { workspaceMount } from '@errand/sandbox/workspace-path';
import { readMade } from './program-output.ts';

const mebibyte = 1024 * 1024;
const limits = {
  wallMs: 20_000,
  cpuS: 30,
  memoryBytes: 768 * mebibyte,
  processes: 64,
  fileBytes: 64 * mebibyte,
  outputBytes: 64 * 1024,
  workspaceBytes: 192 * mebibyte,
};
const sampleBytes = 50 * mebibyte;

/** `frame`: a picture of a film, or a still one, as PNG; `sound`: the first 50 minutes of what is to be heard, as WAV. */
export type MediaSample = 'frame' | 'sound';

const samples: Record<MediaSample, { file: string; flags: readonly string[] }> = {
  // Of the first frames the one that is most like the others: not the black one at the beginning.
  frame: { file: 'frame.png', flags: ['-an', '-sn', '-vf', "thumbnail=60,scale='min(1280,iw)':-1", '-frames:v', '1'] },
  sound: {
    file: 'sound.wav',
    flags: ['-vn', '-sn', '-map', '0:a:0', '-ac', '1', '-ar', '8000', '-t', '3000', '-c:a', 'pcm_s16le'],
  },
};

export interface MediaProgram {
  /** FFmpeg's own file. */
  program: string;
  sandbox: Sandbox;
}

/**
 * A piece of a film, a recording or a picture. FFmpeg opens it in the sandbox, without a network and with no file but this one. Rejects
 * with a Fault `invalid_argument` for what it finds nothing in.
 * @param workspace used for nothing else
 */
export async function sampleMedia(
  { program, sandbox }: MediaProgram,
  workspace: Workspace,
  { bytes, sample }: { bytes: Uint8Array; sample: MediaSample },
  signal: AbortSignal,
): Promise<Buffer> {
  const { file, flags } = samples[sample];
  await workspace.write('media', bytes);
  await workspace.write('taken/.keep', '');
  const general = ['-nostdin', '-v', 'error', '-threads', '2', '-protocol_whitelist', 'file'];
  const result = await sandbox.run({
    command: [program, ...general, '-i', `${workspaceMount}/media`, ...flags, `${workspaceMount}/taken/${file}`],
    workspace,
    signal,
    mergesOutput: true,
    limits,
  });
  const problem = 'There is nothing to be seen or heard in this file.';
  return readMade(workspace, { path: `taken/${file}`, maxBytes: sampleBytes, problem }, result);
}

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

/** `frame`: a video frame or a still image, as PNG; `sound`: the first 50 minutes of audio, as WAV. */
export type MediaSample = 'frame' | 'sound';

const samples: Record<MediaSample, { file: string; flags: readonly string[] }> = {
  // The most typical of the first frames: skips a black one at the start.
  frame: { file: 'frame.png', flags: ['-an', '-sn', '-vf', "thumbnail=60,scale='min(1280,iw)':-1", '-frames:v', '1'] },
  sound: {
    file: 'sound.wav',
    flags: ['-vn', '-sn', '-map', '0:a:0', '-ac', '1', '-ar', '8000', '-t', '3000', '-c:a', 'pcm_s16le'],
  },
};

export interface MediaProgram {
  /** Path of the FFmpeg executable. */
  program: string;
  sandbox: Sandbox;
}

/**
 * A sample of a video, recording, or image. FFmpeg opens it in the sandbox, without a network and with access to this file only. Rejects
 * with a Fault `invalid_argument` if it finds nothing.
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

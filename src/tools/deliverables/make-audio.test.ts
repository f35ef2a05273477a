import { describe, expect, it } from 'vitest';
import { testSandbox } from '../../../test/support/sandbox/sandbox-under-test.ts';
import { toolContext, useWorkspace } from '../../../test/support/tasks/tool-context.ts';
import type { Sandbox } from '@errand/sandbox';
import { type Workspace } from '@errand/sandbox/workspace';
import { createMakeAudio, speechProgram } from './make-audio.ts';

let workspace: Workspace;

useWorkspace('audio', (opened) => {
  workspace = opened;
});

const none: Sandbox = {
  languages: [],
  programs: [],
  modules: [],
  run: () => Promise.reject(new Error('no')),
  close: () => Promise.resolve(),
};
const tool = testSandbox && createMakeAudio(testSandbox);

async function make(input: Record<string, unknown>) {
  if (!tool) throw new Error('no tool');
  return await tool.run(tool.input.parse(input), toolContext(workspace));
}

describe('make_audio', () => {
  it('is absent without a speech program', () => {
    expect(createMakeAudio(none)).toBeNull();
    expect(createMakeAudio({ ...none, programs: [speechProgram] })?.name).toBe('make_audio');
  });

  it.skipIf(!tool)('speaks a text into the workspace, whatever the path and the text look like', async () => {
    const outcome = await make({ path: "a b/$(touch x)/-v'.wav", text: 'Hello world; `rm -rf` $(id) [[x]]', voice: 'en-us' });
    expect(outcome).toMatchObject({ status: 'success' });
    const sound = await workspace.read("a b/$(touch x)/-v'.wav");
    expect(sound.toString('latin1', 0, 4)).toBe('RIFF');
    expect(sound.length).toBeGreaterThan(44_100);
    expect((await workspace.list('', 10)).map(({ path }) => path)).not.toContain('x');
  });

  it.skipIf(!tool)('rejects other formats, other places and invalid voices', async () => {
    await expect(make({ path: 'a.mp3', text: 'x' })).rejects.toThrow('must end in .wav');
    await expect(make({ path: '../a.wav', text: 'x' })).rejects.toThrow('leads out of the workspace');
    expect(() => tool?.input.parse({ path: 'a.wav', text: 'x', voice: '-f /etc/passwd' })).toThrow('must be a language');
    await expect(make({ path: 'a.wav', text: 'x', voice: 'zz-zz' })).rejects.toThrow('voice: the text could not be spoken');
  });
});

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { testSandbox } from '../../../test/support/sandbox/sandbox-under-test.ts';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { systemClock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import { openWorkspace } from '@errand/sandbox/workspace';
import { noRegistries } from '../../rules/egress/package-registries.ts';
import { standardTools } from '../standard-tools.ts';
import { TaskResources } from '../toolbox/task-resources.ts';
import { createToolbox } from '../toolbox/toolbox.ts';
import type { PreparedLayer } from '../toolbox/tool.ts';
import { runSetup } from './run-setup.ts';

let base: string;
let resources: TaskResources;

beforeEach(() => {
  base = createFolder('setup');
  resources = new TaskResources();
});

afterEach(async () => {
  await resources.abandon();
  removeFolder(base);
});

const toolbox = createToolbox(standardTools(systemClock, testSandbox), silentLog);

async function setUp(script: string, quota?: { bytes: number; entries: number }) {
  if (!testSandbox) throw new Error('there is no sandbox');
  const parts = { sandbox: testSandbox, clock: systemClock, log: silentLog, policy: { kind: 'none' as const } };
  const root = join(base, 'acc', 'project-1');
  const limits = quota && {
    quota: {
      limit: quota,
      text: 'its files would take too much',
      hold: () => Promise.resolve({ [Symbol.dispose]: () => undefined }),
      prepare: () => Promise.resolve(),
      allows: (use: { bytes: number; entries: number }) => use.bytes <= quota.bytes && use.entries <= quota.entries,
      finish: () => Promise.resolve(),
      claim: () => Promise.resolve(),
      check: () => Promise.resolve(),
    },
  };
  const signal = new AbortController().signal;
  const work = { folder: { root, ...limits }, script, accountId: 'acc', projectId: 'project', signal };
  return { root, ...(await runSetup({ ...parts, registries: noRegistries }, work)) };
}

function call(tool: string, input: unknown, layer: PreparedLayer) {
  const workspace = openWorkspace(join(base, 'acc', 'task'));
  const setup = { mount: () => Promise.resolve(layer) };
  return toolbox.runCall({ tool, input }, toolContext(workspace, { resources, setup }));
}

describe.skipIf(!testSandbox)('a setup script', () => {
  it('installs programs and modules that commands and code of tasks find, and nothing that they can change', async () => {
    const script = `
      mkdir -p "$HOME/.local/bin" node_modules/left "$(python3 -m site --user-site)"
      printf '#!/bin/sh\\necho tool runs\\n' >"$HOME/.local/bin/tool"; chmod +x "$HOME/.local/bin/tool"
      echo 'answer = 42' >"$(python3 -m site --user-site)/prepared.py"
      echo 'module.exports = "from node";' >node_modules/left/index.js
      pwd`;
    const { root, hasSucceeded, output, isUntrusted } = await setUp(script);
    expect({ hasSucceeded, output, isUntrusted }).toEqual({
      hasSucceeded: true,
      output: '/opt/project\n[exit code 0]',
      isUntrusted: false,
    });
    const layer = { folder: root, isUntrusted: false };
    expect((await call('run_shell', { command: 'tool; ls /opt/project' }, layer)).output).toBe(
      'tool runs\nnode_modules\n[exit code 0]',
    );
    const python = await call('run_code', { language: 'python', code: 'import prepared; prepared.answer' }, layer);
    expect(python.output).toBe('42\n[exit code 0]');
    const node = await call('run_code', { language: 'javascript', code: "require('left')" }, layer);
    expect(node.output).toContain('from node');
    const change = 'touch /opt/project/x; rm -rf /opt/project/node_modules; echo "$HOME"';
    expect((await call('run_shell', { command: change }, layer)).output).toMatch(
      /Read-only file system[^]*\/workspace\/\.home\n\[exit code 0\]$/,
    );
    expect(readdirSync(join(root, 'node_modules'))).toEqual(['left']);
  });

  it('has failed at the first command that fails, and shows the end of what it wrote', async () => {
    const { hasSucceeded, output } = await setUp('seq 1 5000; echo last words; no-such-program; echo not reached');
    expect(hasSucceeded).toBe(false);
    expect(output).toMatch(/4999\n5000\nlast words\n.*no-such-program: command not found\n\[exit code 127\]$/);
    expect(output.length).toBeLessThanOrEqual(4000);
  });

  it('reaches no other folder of the machine, no address, and leaves no process', async () => {
    writeFileSync(join(base, 'secret'), 'secret');
    const script = `
      ls /workspace /memory ${base} 2>&1 || true
      (: <>/dev/tcp/127.0.0.1/1) 2>&1 || true
      ln -s ${base}/secret way-out; ln -s / root
      sleep 1000 &
      echo end`;
    const { root, hasSucceeded, output } = await setUp(script);
    expect(hasSucceeded).toBe(true);
    expect(output.match(/No such file or directory/g)).toHaveLength(3);
    expect(output).toContain('Connection refused');
    const layer = { folder: root, isUntrusted: false };
    const read = await call('run_shell', { command: `cat /opt/project/way-out /opt/project/root${base}/secret` }, layer);
    expect(read.output.match(/No such file/g)).toHaveLength(2);
    expect(existsSync(join(base, 'secret'))).toBe(true);
  });

  it('is ended when its files take too much', async () => {
    const { hasSucceeded, output } = await setUp('head -c 50000000 /dev/zero >big; sleep 100', {
      bytes: 1_000_000,
      entries: 100,
    });
    expect(hasSucceeded).toBe(false);
    expect(output).toContain('its files would take too much');
    const many = await setUp('for i in $(seq 1 300); do echo >f$i; done', { bytes: 100_000_000, entries: 100 });
    expect(many.hasSucceeded).toBe(false);
  });

  it('whose hosts the operator did not name makes what commands write that of strangers', async () => {
    const { root } = await setUp('true');
    const { taints } = await call('run_shell', { command: 'true' }, { folder: root, isUntrusted: true });
    expect(taints).toEqual(['untrusted']);
  });
});

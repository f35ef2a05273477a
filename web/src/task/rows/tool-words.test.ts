import { expect, it } from 'vitest';
import { en } from '../../text/en.ts';
import { zh } from '../../text/zh.ts';
import type { ToolCall } from '../conversation/row.ts';
import { describeCall, languageOfOutput } from './tool-words.ts';

it('detects diffs and JSON, and nothing else', () => {
  expect(languageOfOutput('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b')).toBe('diff');
  expect(languageOfOutput('@@ -1,2 +1,2 @@\n a\n+b')).toBe('diff');
  expect(languageOfOutput('{"a": [1, 2]}\n')).toBe('json');
  for (const plain of ['', 'a - b\n+ c', '- one\n- two', '--- \n', '[exit code 0', 'total {']) {
    expect(languageOfOutput(plain)).toBe('');
  }
});

it('describes a call in the language of the reader, or as the service does if the tool is unknown', () => {
  const call = { key: 'c', actionId: 'c', param: '', output: '', pictures: [], isCut: false, atMs: null } as const;
  const shell: ToolCall = { ...call, tool: 'run_shell', state: 'running', brief: '', action: '' };
  expect([describeCall(shell, en), describeCall({ ...shell, state: 'success' }, zh)]).toEqual(['Running command', '已运行']);
  const other: ToolCall = { ...call, tool: 'crm__find', state: 'success', brief: 'Calling crm__find', action: 'Finding' };
  expect(describeCall(other, en)).toBe('Finding');
  expect(describeCall({ ...other, action: '', brief: '' }, en)).toBe('crm__find');
});

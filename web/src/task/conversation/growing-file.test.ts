import { expect, it } from 'vitest';
import { GrowingFiles } from './growing-file.ts';

const piece = (at: number, text: string, actionId = 'a') => ({
  action_id: actionId,
  tool: 'write_file',
  at,
  text,
  path: 'report.md',
});

it('grows by each piece once, and says what was missed', () => {
  const files = new GrowingFiles();
  expect(files.add({ action_id: 'a', tool: 'run_shell', at: 0, text: 'output' })).toBe(false);
  expect([files.add(piece(0, '# Ti')), files.add(piece(4, 'tle')), files.add(piece(4, 'tle'))]).toEqual([true, true, false]);
  expect(files.current).toEqual({ actionId: 'a', path: 'report.md', text: '# Title', isCut: false, isWritten: false });
  files.add(piece(5, 'le and'));
  expect(files.current?.text).toBe('# Title and');
  files.add(piece(100, 'the end'));
  expect(files.current).toMatchObject({ text: 'the end', isCut: true });
  files.finish('b');
  expect(files.current?.isWritten).toBe(false);
  files.finish('a');
  expect(files.current?.isWritten).toBe(true);
});

it('is the newest file alone, and only its newest part', () => {
  const files = new GrowingFiles();
  files.add(piece(0, 'first'));
  files.add(piece(0, 'x'.repeat(30_000), 'b'));
  expect(files.current).toMatchObject({ actionId: 'b', isCut: true });
  expect(files.current?.text).toHaveLength(20_000);
  // An edited file has more than the passage that is written.
  files.add({ ...piece(0, 'passage', 'c'), tool: 'edit_file' });
  expect(files.current).toMatchObject({ text: 'passage', isCut: true });
  files.add(piece(0, 'next', 'b'));
  // A call whose model has to begin again writes its file anew.
  files.add(piece(0, 'again', 'b'));
  expect(files.current).toMatchObject({ text: 'again', isCut: false });
  files.clear();
  expect(files.current).toBeNull();
});

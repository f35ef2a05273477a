import assert from 'node:assert/strict';
import { zipSync } from 'fflate';
import { expectAll, expectSeen, fileOf } from '../graders.ts';
import { deliver, plainJob, use } from '../job.ts';

const shell = (command: string, more = {}) => use('run_shell', { command, ...more });
const bytes = (text: string) => new TextEncoder().encode(text);

const project = zipSync({
  'calc.py': bytes('def add(a, b):\n    return a - b\n'),
  'test_calc.py': bytes(
    'import unittest\nfrom calc import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n',
  ),
});

export const workshopJobs = [
  plainJob({
    ...{ name: 'failing-test', about: 'a failing test in a zip is found and mended', needs: ['sandbox'] },
    files: { 'project.zip': project },
    task: 'failing-test-job: mend the project.',
    replies: [
      use('unpack_archive', { path: 'attachments/project.zip', into: 'project' }),
      shell('cd project && python3 -m unittest -q; true'),
      (seen) => {
        assert.match(seen.text, /FAILED \(failures=1\)/);
        return use('edit_file', { path: 'project/calc.py', old_string: 'a - b', new_string: 'a + b' });
      },
      shell('python3 -m unittest -q && echo all is well'),
      deliver('project/calc.py'),
      { text: 'Mended.' },
    ],
    grade(outcome) {
      assert.equal(fileOf(outcome, 'calc.py').toString(), 'def add(a, b):\n    return a + b\n');
      expectSeen(outcome, ['all is well']);
    },
  }),
  plainJob({
    ...{ name: 'shell', about: 'a shell keeps its folder and variables', wire: 'anthropic', needs: ['sandbox'] },
    task: 'shell-job: go on in the same folder.',
    replies: [shell('mkdir -p a/b && cd a/b && export WORD=heliotrope'), shell('echo "$WORD in $PWD"'), { text: 'Done.' }],
    grade: (outcome) => expectSeen(outcome, ['heliotrope in /workspace/a/b']),
  }),
  plainJob({
    ...{ name: 'session', about: 'a session of code keeps its variables', wire: 'openai', needs: ['sandbox'] },
    task: 'session-job: count with Python.',
    replies: [
      use('run_code', { language: 'python', code: 'rows = [n * n for n in range(100)]' }),
      use('run_code', { language: 'python', code: 'sum(rows)' }),
      { text: 'Counted.' },
    ],
    grade: (outcome) => expectSeen(outcome, ['328350']),
  }),
  plainJob({
    ...{ name: 'server', about: 'a server in the background is opened in the browser', needs: ['sandbox', 'browser'] },
    task: 'server-job: serve the page and look at it.',
    replies: [
      use('write_file', { path: 'site/index.html', content: '<title>Shop</title><h1>Heliotropes for sale</h1>' }),
      shell('cd site && python3 -um http.server 8000', { background: true }),
      shell('until curl -s localhost:8000 >/dev/null; do sleep 0.1; done'),
      use('use_browser', { actions: [{ do: 'open', url: 'http://localhost:8000/' }] }),
      use('read_process', { process: 'p1', end: true }),
      { text: 'Seen.' },
    ],
    grade: (outcome) => expectSeen(outcome, ['Heliotropes for sale', 'GET / HTTP']),
  }),
  plainJob({
    ...{ name: 'long-output', about: 'what a long output says in its middle can be read later', needs: ['sandbox'] },
    task: 'long-output-job: find the line.',
    replies: [
      shell('seq 1 20000; echo heliotrope; seq 1 20000'),
      (seen) => {
        assert.doesNotMatch(seen.text, /heliotrope\n/);
        const [path] = /\.tool-output\/[\w.-]+\w/.exec(seen.text) ?? [];
        assert.ok(path, 'no path of the whole output');
        return use('search_files', { query: 'heliotrope', path });
      },
      { text: 'Found.' },
    ],
    grade: (outcome) => expectSeen(outcome, ['20001']),
  }),
  plainJob({
    ...{ name: 'search', about: 'a word is found in files and replaced' },
    task: 'search-job: correct the name of the flower.',
    replies: [
      use('write_file', { path: 'garden/a.md', content: 'Roses are red.\n' }),
      use('write_file', { path: 'garden/b.md', content: 'A heliotrop is blue.\n' }),
      use('search_files', { query: 'heliotrop' }),
      (seen) => {
        assert.match(seen.text, /garden\/b\.md/);
        return use('edit_file', { path: 'garden/b.md', old_string: 'heliotrop ', new_string: 'heliotrope ' });
      },
      deliver('garden/b.md'),
      { text: 'Corrected.' },
    ],
    grade: (outcome) => assert.equal(fileOf(outcome, 'b.md').toString(), 'A heliotrope is blue.\n'),
  }),
  plainJob({
    ...{
      name: 'findings',
      about: 'a page whose text is cut off is found wanting, and mended',
      needs: ['sandbox', 'browser', 'office'],
    },
    task: 'findings-job: make a page that can be read.',
    replies: [
      use('write_file', { path: 'page.html', content: pageOf('width: 60px; height: 20px; overflow: hidden') }),
      use('render', { path: 'page.html', view: 'phone' }),
      (seen) => {
        assert.match(seen.text, /cut off/i);
        return use('write_file', { path: 'page.html', content: pageOf('') });
      },
      use('render', { path: 'page.html', view: 'phone' }),
      deliver('page.html'),
      { text: 'Mended.' },
    ],
    grade(outcome) {
      expectAll(fileOf(outcome, 'page.html').toString(), ['Heliotropes']);
      expectSeen(outcome, ['Nothing is cut off']);
    },
  }),
];

function pageOf(style: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><h1>Shop</h1><p style="${style}">Heliotropes, roses, and tulips are for sale every day of the week.</p></html>`;
}

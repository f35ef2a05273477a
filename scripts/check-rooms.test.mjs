import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findAmbientUses } from './ambient-uses.mjs';
import { checkImports, checkName, checkRooms, rooms } from './check-rooms.mjs';
import { findCycles } from './imports.mjs';
import { doors } from './package-doors.mjs';
import { parseSource } from './source-file.mjs';

/** @param {string} file @param {string} text */
const problemsOf = (file, text) => checkImports(parseSource(file, text)).map(({ problem }) => problem);
/** @param {string} file @param {string} text */
const ambientsOf = (file, text) => findAmbientUses(parseSource(file, text)).map(({ problem }) => problem);

describe('the table of rooms', () => {
  it('names only rooms it has a row for, and reaches no room from itself', () => {
    /** @param {string} room @returns {string[]} */
    const below = (room) =>
      (rooms[room] ?? []).flatMap((edge) => {
        const name = typeof edge === 'string' ? edge : edge.room;
        return [name, ...below(name)];
      });
    for (const room of Object.keys(rooms)) {
      expect(Object.keys(rooms)).toEqual(expect.arrayContaining(below(room)));
      expect(below(room)).not.toContain(room);
    }
  });
});

describe('imports between rooms', () => {
  it('lets a room use itself and the rooms of its row', () => {
    const text =
      "import { a } from './a.ts';\nimport { Fault } from '../base/fault.ts';\nimport { sql } from '../store/db/sql.ts';";
    expect(problemsOf('src/http/server.ts', text)).toEqual([]);
  });

  it.each([
    ['a static import', "import { b } from '../agent/b.ts';"],
    ['an import for its side effect', "import '../agent/b.ts';"],
    ['a type import', "import type { B } from '../agent/b.ts';"],
    ['a re-export', "export { b } from '../agent/b.ts';"],
    ['a re-export of everything', "export * from '../agent/b.ts';"],
    ['a dynamic import', "const b = await import('../agent/b.ts');"],
    ['a type named in place', "let b: import('../agent/b.ts').B;"],
  ])('refuses an edge outside the table made by %s, with its line', (_form, statement) => {
    const [finding, ...rest] = checkImports(parseSource('src/http/server.ts', `\n${statement}`));
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ path: 'src/http/server.ts', line: 2, problem: 'http → agent (imports src/agent/b.ts)' });
    expect(finding?.remedy).toContain('http may import base, rules, store, api');
  });

  it('lets an edge for types carry types only', () => {
    expect(problemsOf('src/cli/task.ts', "import type { Answer } from '../api/answer.ts';")).toEqual([]);
    expect(problemsOf('src/cli/task.ts', "import { type Answer } from '../api/answer.ts';")).toEqual([]);
    expect(problemsOf('src/cli/task.ts', "import { answer } from '../api/answer.ts';")).toHaveLength(1);
  });

  it('takes a file directly in src for a room of its own', () => {
    expect(problemsOf('src/app.ts', "import { serve } from './http/server.ts';\nimport { run } from './work/run.ts';")).toEqual(
      [],
    );
    expect(problemsOf('src/app.ts', "import { run } from './cli/run.ts';")).toEqual(['app → cli (imports src/cli/run.ts)']);
    expect(problemsOf('src/base/log.ts', "import { config } from '../config.ts';")).toHaveLength(1);
  });

  it('keeps tests and files outside src out of what is shipped', () => {
    expect(problemsOf('src/store/tasks.ts', "import { a } from './events.test.ts';")).toHaveLength(1);
    expect(problemsOf('src/store/tasks.ts', "import { a } from '../../test/support/postgres.ts';")).toHaveLength(1);
  });

  it('refuses a computed import, which it cannot judge', () => {
    expect(() => problemsOf('src/app.ts', 'await import(name);')).toThrow('src/app.ts:1 imports a computed path');
  });
});

describe('packages', () => {
  it('come with an installation that leaves out what only development needs', () => {
    const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    const installed = Object.keys(dependencies);
    const isInstalled = (/** @type {string} */ name) =>
      installed.some((other) => other === name || (name.endsWith('/') && other.startsWith(name)));
    const named = Object.keys(doors).filter((name) => !name.startsWith('node:'));
    expect(named.filter((name) => !isInstalled(name))).toEqual([]);
  });

  it.each([
    ['src/store/db/pool.ts', 'pg', 'src/http/server.ts'],
    ['src/store/db/file.ts', 'node:sqlite', 'src/api/task.create.ts'],
    ['src/http/server.ts', 'fastify', 'src/api/task.create.ts'],
    ['src/models/claude.ts', '@ai-sdk/anthropic', 'src/agent/loop.ts'],
    ['src/sandbox/bubblewrap.ts', 'node:child_process', 'src/tools/shell.ts'],
    ['src/store/blobs.ts', 'node:fs/promises', 'src/rules/task-state.ts'],
  ])('lets %s use %s, but not %s', (insider, name, outsider) => {
    expect(problemsOf(insider, `import { x } from '${name}';`)).toEqual([]);
    expect(problemsOf(outsider, `import { x } from '${name}';`)).toHaveLength(1);
  });

  it('asks for a row when a package has none', () => {
    const [finding] = checkImports(parseSource('src/tools/page.ts', "import { x } from 'left-pad';"));
    expect(finding).toMatchObject({ problem: 'tools → left-pad', remedy: expect.stringContaining('scripts/package-doors.mjs') });
  });
});

describe('imports of the web application', () => {
  it.each([
    ["import { Button } from '../ui/button.tsx';", "import { TaskPage } from '../task/task-page.tsx';"],
    ["import { useText } from '../text/locale.ts';", "import { router } from '../app/router.ts';"],
    ["import { useQuery } from '@tanstack/react-query';", "import { Dialog } from 'radix-ui';"],
    ["import { ErrandError } from '@errand/client/errand-error.ts';", "import { sql } from '../../../src/store/db/sql.ts';"],
    ["import { X } from 'lucide-react';", "import { x } from 'left-pad';"],
  ])('let a page use %s, but not %s', (wanted, unwanted) => {
    expect(problemsOf('web/src/home/home-page.tsx', wanted)).toEqual([]);
    expect(problemsOf('web/src/home/home-page.tsx', unwanted)).toHaveLength(1);
  });

  it('let what is shared know no page, and the frame know all', () => {
    expect(problemsOf('web/src/ui/button.tsx', "import { errand } from '../api/errand.ts';")).toHaveLength(1);
    expect(problemsOf('web/src/app/routes.tsx', "const page = import('../task/task-page.tsx');")).toEqual([]);
  });
});

describe('cycles', () => {
  it('finds a cycle over several files and names its way', () => {
    const files = [
      parseSource('src/rules/a.ts', "import './b.ts';"),
      parseSource('src/rules/b.ts', "import type { C } from './c.ts';"),
      parseSource('src/rules/c.ts', "export * from './a.ts';"),
      parseSource('src/rules/d.ts', "import './a.ts';"),
    ];
    expect(findCycles(files)).toEqual([['src/rules/a.ts', 'src/rules/b.ts', 'src/rules/c.ts', 'src/rules/a.ts']]);
  });

  it('takes two ways to one file for no cycle', () => {
    const files = [
      parseSource('src/rules/a.ts', "import './b.ts'; import './c.ts';"),
      parseSource('src/rules/b.ts', "import './c.ts';"),
      parseSource('src/rules/c.ts', ''),
    ];
    expect(findCycles(files)).toEqual([]);
  });
});

describe('time, chance and environment', () => {
  it.each([
    'Date.now()',
    'new Date()',
    'new Date',
    'globalThis.Date.now()',
    'performance.now()',
    'setTimeout(run, 5)',
    'const later = setInterval',
    'Math.random()',
    "process['env'].HOME",
    'const { env } = process',
    "await fetch('http://a.b')",
    "import { setTimeout as pause } from 'node:timers/promises'",
    "import { randomUUID } from 'node:crypto'; randomUUID()",
  ])('may not be taken by %s', (text) => {
    expect(ambientsOf('src/rules/a.ts', text)).not.toEqual([]);
  });

  it.each([
    'new Date(atMs)',
    'clock.setTimeout(run, 5)',
    'socket.setTimeout(5)',
    'process.memoryUsage()',
    'type Handle = ReturnType<typeof setTimeout>',
    'function load({ fetch }: Door) { return fetch(url); }',
    'const limits = { setTimeout: 5, process: 6 }',
  ])('are not what %s takes', (text) => {
    expect(ambientsOf('src/rules/a.ts', text)).toEqual([]);
  });

  it('belong to the files that hand them out', () => {
    expect(ambientsOf('src/base/clock.ts', 'setTimeout(run, Date.now())')).toEqual([]);
    expect(ambientsOf('src/base/ids.ts', 'Math.random()')).toEqual([]);
    expect(ambientsOf('src/base/ids.ts', 'Date.now()')).toHaveLength(1);
    expect(ambientsOf('src/main.ts', 'start(process.env)')).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    'src/base/utils/text.ts',
    'src/store/helpers.ts',
    'src/rules/task-types.ts',
    'src/work/lease-manager.ts',
    'test/support/common.ts',
    'src/rules/TaskState.ts',
    'src/store/task.create.ts',
    'src/cellar/wine.ts',
  ])('refuse %s', (file) => {
    expect(checkName(file)).toHaveLength(1);
  });

  it.each([
    'src/rules/artifact-type.ts',
    'src/rules/task-state.test.ts',
    'src/api/task.listMessages.ts',
    'src/api/task.listMessages.test.ts',
    'src/app.ts',
    'scripts/check-rooms.mjs',
  ])('accept %s', (file) => {
    expect(checkName(file)).toEqual([]);
  });
});

describe('a checkout', () => {
  /** @type {string} */
  let root = '';
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('is read as a whole, its tests only for their names', () => {
    root = mkdtempSync(path.join(tmpdir(), 'errand-rooms-'));
    mkdirSync(path.join(root, 'src/base'), { recursive: true });
    writeFileSync(path.join(root, 'src/base/a.ts'), "import './b.ts';");
    writeFileSync(path.join(root, 'src/base/b.ts'), "import './a.ts';\nsetTimeout(f, 1);");
    writeFileSync(path.join(root, 'src/base/b.test.ts'), "import '../http/server.ts';\nsetTimeout(f, 1);");
    writeFileSync(path.join(root, 'src/base/utils.test.ts'), '');
    const { fileCount, findings } = checkRooms(root);
    expect(fileCount).toBe(2);
    expect(findings.map(({ path: file, problem }) => `${file}: ${problem}`)).toEqual([
      'src/base/utils.test.ts: named utils',
      'src/base/b.ts: uses setTimeout',
      'src/base/a.ts: import cycle: src/base/a.ts → src/base/b.ts → src/base/a.ts',
    ]);
  });
});

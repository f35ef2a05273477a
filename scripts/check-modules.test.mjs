import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findAmbientUses } from './ambient-uses.mjs';
import { checkFolders, checkImports, checkModules, checkName, findUnusedAllowances } from './check-modules.mjs';
import { findCycles } from './imports.mjs';
import { modules, orders } from './module-table.mjs';
import { owners } from './package-owners.mjs';
import { parseSource } from './source-file.mjs';

/** @param {string} file @param {string} text */
const problemsOf = (file, text) => checkImports(parseSource(file, text)).map(({ problem }) => problem);
/** @param {string} file @param {string} text */
const ambientsOf = (file, text) => findAmbientUses(parseSource(file, text)).map(({ problem }) => problem);

describe('the table of modules', () => {
  it('names only modules it has a row for, and reaches none from itself', () => {
    /** @param {string} module @returns {string[]} */
    const below = (module) =>
      (modules[module] ?? []).flatMap((edge) => {
        const name = typeof edge === 'string' ? edge : edge.module;
        return [name, ...below(name)];
      });
    for (const module of Object.keys(modules)) {
      expect(Object.keys(modules)).toEqual(expect.arrayContaining(below(module)));
      expect(below(module)).not.toContain(module);
    }
  });
});

describe('imports between modules', () => {
  it('lets a module use itself and the modules of its row', () => {
    const text =
      "import { a } from './server/a.ts';\nimport { Fault } from '@errand/base/fault.ts';\nimport { sql } from '../store/db/sql.ts';";
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

  it('lets no import run up the order of the subjects of a module', () => {
    const text = "import { a } from '../tasks/a.ts';";
    expect(problemsOf('src/store/oauth/b.ts', text)).toEqual([]);
    expect(problemsOf('src/store/files/b.ts', text)).toEqual([
      'src/store: files → tasks runs upward (imports src/store/tasks/a.ts)',
    ]);
    expect(problemsOf('src/store/files/b.ts', "import { a } from '../operations.ts';")).toHaveLength(1);
    expect(problemsOf('src/store/operations.ts', "import { a } from './tasks/a.ts';")).toEqual([]);
  });

  it('treats a file directly in src as a module, and a package too', () => {
    expect(
      problemsOf('src/app/build-app.ts', "import { serve } from '../http/server.ts';\nimport { run } from '../work/run.ts';"),
    ).toEqual([]);
    expect(problemsOf('src/app/build-app.ts', "import { run } from '../cli/run.ts';")).toEqual([
      'app → cli (imports src/cli/run.ts)',
    ]);
    expect(problemsOf('packages/base/src/log.ts', "import { config } from '../../../src/config/config.ts';")).toHaveLength(1);
  });

  it('keeps tests and files outside src out of what is shipped', () => {
    expect(problemsOf('src/store/tasks/tasks.ts', "import { a } from '../tasks/events.test.ts';")).toHaveLength(1);
    expect(problemsOf('src/store/tasks/tasks.ts', "import { a } from '../../test/support/postgres.ts';")).toHaveLength(1);
  });

  it('refuses a computed import, which it cannot judge', () => {
    expect(() => problemsOf('src/app/build-app.ts', 'await import(name);')).toThrow(
      'src/app/build-app.ts:1 imports a computed path',
    );
  });
});

describe('packages', () => {
  it('come with an installation that leaves out what only development needs', () => {
    const manifests = ['package.json', ...['base', 'documents', 'sandbox'].map((name) => `packages/${name}/package.json`)];
    const installed = manifests.flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).dependencies),
    );
    const isInstalled = (/** @type {string} */ name) =>
      installed.some((other) => other === name || (name.endsWith('/') && other.startsWith(name)));
    const named = Object.keys(owners).filter((name) => !name.startsWith('node:'));
    expect(named.filter((name) => !isInstalled(name))).toEqual([]);
  });

  it.each([
    ['src/store/db/pool.ts', 'pg', 'src/http/server.ts'],
    ['src/store/db/file.ts', 'node:sqlite', 'src/api/tasks/task.create.ts'],
    ['src/http/server.ts', 'fastify', 'src/api/tasks/task.create.ts'],
    ['src/models/claude.ts', '@ai-sdk/anthropic', 'src/agent/loop.ts'],
    ['packages/sandbox/src/bubblewrap/run.ts', 'node:child_process', 'src/tools/shell.ts'],
    ['src/store/blobs.ts', 'node:fs/promises', 'src/rules/tasks/task-state.ts'],
  ])('lets %s use %s, but not %s', (insider, name, outsider) => {
    expect(problemsOf(insider, `import { x } from '${name}';`)).toEqual([]);
    expect(problemsOf(outsider, `import { x } from '${name}';`)).toHaveLength(1);
  });

  it.each([
    [
      "import { findOffice } from '@errand/sandbox/programs';",
      "import { run } from '@errand/sandbox/bubblewrap/bubblewrap-run.ts';",
    ],
    [
      "import { createMakers } from '@errand/documents';",
      "import { runs } from '@errand/documents/text-documents/docx-runs.ts';",
    ],
  ])('of this workspace are used by what they export: %s, but not %s', (exported, internal) => {
    expect(problemsOf('src/tools/office.ts', exported)).toEqual([]);
    expect(() => problemsOf('src/tools/office.ts', internal)).toThrow('which its package does not export');
  });

  it('asks for an owner when a package has none', () => {
    const [finding] = checkImports(parseSource('src/tools/page.ts', "import { x } from 'left-pad';"));
    expect(finding).toMatchObject({ problem: 'tools → left-pad', remedy: expect.stringContaining('scripts/package-owners.mjs') });
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
    expect(problemsOf('web/src/ui/controls/button.tsx', "import { errand } from '../../api/errand.ts';")).toHaveLength(1);
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
    expect(ambientsOf('packages/base/src/clock.ts', 'setTimeout(run, Date.now())')).toEqual([]);
    expect(ambientsOf('packages/base/src/ids.ts', 'Math.random()')).toEqual([]);
    expect(ambientsOf('packages/base/src/ids.ts', 'Date.now()')).toHaveLength(1);
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
    'src/store/cellar/wine.ts',
  ])('refuse %s', (file) => {
    expect(checkName(file)).toHaveLength(1);
  });

  it.each([
    'src/rules/artifacts/artifact-type.ts',
    'src/rules/tasks/task-state.test.ts',
    'src/api/tasks/task.listMessages.ts',
    'src/api/task.listMessages.test.ts',
    'src/app/build-app.ts',
    'scripts/check-modules.mjs',
  ])('accept %s', (file) => {
    expect(checkName(file)).toEqual([]);
  });
});

describe('a checkout', () => {
  /** @type {string} */
  let root = '';
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('is read as a whole, its tests only for their names', () => {
    root = mkdtempSync(path.join(tmpdir(), 'errand-modules-'));
    mkdirSync(path.join(root, 'src/mcp'), { recursive: true });
    writeFileSync(path.join(root, 'src/mcp/a.ts'), "import './b.ts';");
    writeFileSync(path.join(root, 'src/mcp/b.ts'), "import './a.ts';\nsetTimeout(f, 1);");
    writeFileSync(path.join(root, 'src/mcp/b.test.ts'), "import '../http/server.ts';\nsetTimeout(f, 1);");
    writeFileSync(path.join(root, 'src/mcp/utils.test.ts'), '');
    const { fileCount, findings } = checkModules(root);
    expect(fileCount).toBe(2);
    const unused = findings.filter(({ problem }) => problem.endsWith('is allowed and not used'));
    const others = findings.filter((finding) => !unused.includes(finding));
    expect(others.map(({ path: file, problem }) => `${file}: ${problem}`)).toEqual([
      'src/mcp/utils.test.ts: named utils',
      'src/mcp/b.ts: uses setTimeout',
      'src/mcp/a.ts: import cycle: src/mcp/a.ts → src/mcp/b.ts → src/mcp/a.ts',
    ]);
  });

  it('has at most 25 files in a folder', () => {
    const paths = Array.from({ length: 25 }, (_, index) => `src/mcp/a${index}.ts`);
    expect(checkFolders(paths)).toEqual([]);
    expect(checkFolders([...paths, 'src/mcp/b.ts'])).toMatchObject([
      { path: 'src/mcp', problem: 'holds 26 files, 25 are allowed' },
    ]);
  });

  it('keeps no allowance that nothing uses', () => {
    const problems = (/** @type {string} */ text) =>
      findUnusedAllowances([parseSource('src/mcp/a.ts', text)]).map(({ problem }) => problem);
    expect(problems('')).toContain('mcp → base is allowed and not used');
    expect(problems("import { Fault } from '@errand/base/fault.ts';")).not.toContain('mcp → base is allowed and not used');
    expect(problems('')).toContain('mcp → @modelcontextprotocol/ is allowed and not used');
    expect(problems("import { x } from '@modelcontextprotocol/server/part';")).not.toContain(
      'mcp → @modelcontextprotocol/ is allowed and not used',
    );
  });

  it('orders only folders that are there', () => {
    for (const [folder, children] of Object.entries(orders)) {
      expect(readdirSync(path.join(import.meta.dirname, '..', folder))).toEqual(expect.arrayContaining([...children]));
    }
  });
});

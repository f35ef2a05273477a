import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkCitations, listAbsent, listAnchors, listCitations, listLinks, listPaths, listTwins } from './check-citations.mjs';

/** @param {readonly { file: string, anchor: string | null }[]} references */
const targets = (references) => references.map(({ file, anchor }) => (anchor === null ? file : `${file}#${anchor}`));

describe('the anchors of a page', () => {
  it('follow from its headings as on GitHub, counted where they repeat', () => {
    const text = "# task.create\n## What's `new` in [v2](v2.md)?\n### Größe & more\n## Limits\n## Limits\n";
    expect(listAnchors(text).slugs).toEqual(['taskcreate', 'whats-new-in-v2', 'größe--more', 'limits', 'limits-1']);
  });

  it('are also written out, above a heading or in a table', () => {
    const text = '<a id="limits"></a>\n## All limits\n\n| <a id="p1"></a>P1 | x |\n<a id="limits"></a>';
    expect(listAnchors(text)).toEqual({ explicit: ['limits', 'p1', 'limits'], slugs: ['all-limits'] });
    expect(listTwins(listAnchors(text))).toEqual(['limits']);
  });

  it('are not those of examples', () => {
    expect(listAnchors('```md\n# No\n<a id="no"></a>\n```\n# Yes\n')).toEqual({ explicit: [], slugs: ['yes'] });
  });
});

describe('what a page leads to', () => {
  it('is reported relative to the root of the checkout, with its line', () => {
    const text = '[a](b.md)\n[c](../src/d.ts) ![e](images/f.png) [g](#h) [i](../README.md#j)';
    const links = listLinks({ path: 'docs/page.md', text });
    expect(targets(links)).toEqual(['docs/b.md', 'src/d.ts', 'docs/images/f.png', 'docs/page.md#h', 'README.md#j']);
    expect(links.map(({ line }) => line)).toEqual([1, 2, 2, 2, 2]);
  });

  it('is neither what other sites have nor what an example shows', () => {
    const text = '[a](https://x.example/b.md) [c](mailto:d@x.example) `[e](f.md)`\n```\n[g](h.md)\n```\n';
    expect(listLinks({ path: 'page.md', text })).toEqual([]);
  });

  it('is also a path in code type, but no pattern and nothing installed', () => {
    const text = '`src/a/b.ts`, `test/net/`, `npm test`, `src/…`, `migrations/NNNN_a.sql`, `bench/peers/node_modules`, src/c.ts';
    expect(targets(listPaths(text))).toEqual(['src/a/b.ts', 'test/net']);
  });
});

describe('the citations of code', () => {
  it('are paths of pages in comments and texts, up to the end of the sentence', () => {
    const text = "/** A (docs/reference/api.md#task). */\n// See docs/b.md.\nprint('look at docs/c.md');\n";
    expect(targets(listCitations(text))).toEqual(['docs/reference/api.md#task', 'docs/b.md', 'docs/c.md']);
  });

  it('are not paths that are data', () => {
    expect(listCitations("read('docs/a.md'); new URL('../docs/b.md'); `${url}docs/`; web('docs/index.html')")).toEqual([]);
  });

  it('name no document that is not there', () => {
    const wrong = [
      '(wire-facts 2.4)',
      '(wire facts, "OAuth")',
      '(specification, "Task")',
      'as the specification says',
      '(decisions, "Limits")',
      '(properties, P12)',
      'Decisions, "Limits".',
    ];
    for (const text of [...wrong, 'see contract.md']) expect([text, listAbsent(text).length]).toEqual([text, 1]);
    for (const text of ['(properties, name)', '0004-provider-contract.md', 'a specification', 'decisions, then']) {
      expect([text, listAbsent(text)]).toEqual([text, []]);
    }
  });
});

describe('a checkout', () => {
  /** @type {string[]} */
  const roots = [];
  afterEach(() => {
    for (const root of roots.splice(0)) rmSync(root, { recursive: true });
  });

  /** @param {Record<string, string>} files */
  function check(files) {
    const root = mkdtempSync(path.join(tmpdir(), 'citations-'));
    roots.push(root);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
    return checkCitations(root).findings.map(({ path: file, line, problem }) => `${file}:${line} ${problem}`);
  }

  it('is sound when every citation and link leads somewhere', () => {
    const files = {
      'README.md': '[api](docs/api.md#task) [heading](docs/api.md#all-tasks) `src/a.ts` [folder](docs)',
      'docs/api.md': '<a id="task"></a>\n## All tasks\n[up](../README.md)',
      'src/a.ts': '// (docs/api.md#task)',
    };
    expect(check(files)).toEqual([]);
  });

  it('is not when one leads nowhere, or code relies on the words of a heading', () => {
    const files = {
      'README.md': '[gone](docs/gone.md)\n[no anchor](docs/api.md#gone) `test/gone.test.ts`',
      'docs/api.md': '## Task\n<a id="a"></a><a id="a"></a>',
      'src/a.ts': '// (docs/api.md#task)\n// (docs/gone.md), by the specification',
    };
    expect(check(files)).toEqual([
      'README.md:1 docs/gone.md does not exist',
      'README.md:2 docs/api.md has no anchor "gone"',
      'README.md:2 test/gone.test.ts does not exist',
      'docs/api.md:1 the anchor "a" is there more than once',
      'src/a.ts:1 docs/api.md has no anchor "task"',
      'src/a.ts:2 docs/gone.md does not exist',
      'src/a.ts:2 "the specification" names a document that is not in the repository',
    ]);
  });
});

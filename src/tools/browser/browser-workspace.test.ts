import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrowserUnderTest, type BrowserTask, hasBrowser } from '../../../test/support/tools/browser-under-test.ts';

const figures = 'http://workspace.localhost/figures.html';

let browser: BrowserUnderTest;
let task: BrowserTask;

beforeAll(async () => {
  if (!hasBrowser) return;
  browser = await BrowserUnderTest.open((request) =>
    request.url === '/lure' ? `<title>Lure</title><script>location = '${figures}'</script>` : '<title>Calm</title>all is calm',
  );
});

afterAll(() => browser?.close());

beforeEach(async (context) => {
  if (!browser) return;
  task = browser.task('a1', context.task.id);
  await task.workspace.write('figures.html', '<title>Figures</title>the secret figures');
});

describe.skipIf(!hasBrowser)('a browser that no call has shown files of the workspace', () => {
  it('is shown none by a stranger, not even when the tab that was led there is loaded again', async () => {
    const led = await task.browse([
      { do: 'open', url: `${browser.site}/lure` },
      { do: 'wait', text: 'Only pages of the workspace' },
    ]);
    expect(led).toMatchObject({ status: 'success', readsFiles: false });
    await task.move();
    const again = await task.browse([{ do: 'look' }]);
    expect(again.output).toContain(`(${figures})`);
    expect(again.output).not.toContain('secret');
    expect(again.readsFiles).toBe(false);
    // From the call on that asks for one, it shows them, and is known to.
    const opened = await task.browse([{ do: 'open', url: 'figures.html' }]);
    expect(opened).toMatchObject({ status: 'success', readsFiles: true });
    expect(opened.output).toContain('the secret figures');
    await task.move();
    expect((await task.browse([{ do: 'look' }])).output).toContain('the secret figures');
  });

  it('gives none to an expression, whose page has not become one of the workspace by being refused', async () => {
    await task.see({ do: 'open', url: `${browser.site}/` }, { do: 'evaluate', expression: `void (location = '${figures}')` });
    await task.see({ do: 'wait', text: 'Only pages of the workspace' });
    const ask = `fetch('/figures.html').then((answer) => answer.text(), (error) => error.name)`;
    const asked = await task.browse([
      { do: 'evaluate', expression: 'self.origin' },
      { do: 'evaluate', expression: ask },
    ]);
    expect(asked.output).toContain('the expression is "null"');
    expect(asked.output).not.toContain('secret');
    expect(asked.readsFiles).toBe(false);
    // It can still be left.
    expect(await task.see({ do: 'open', url: `${browser.site}/` })).toContain('all is calm');
  });
});

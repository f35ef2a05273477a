import type { ToolOutcome } from '../toolbox/tool.ts';
import type { BrowserReport } from './browser-messages.ts';

const lost = 'What forms contained and what scripts had in memory is gone.';

function describeRestart({ restored }: BrowserReport, exceeded: string | null): string[] {
  if (restored === 0) return [];
  const tabs = restored === 1 ? 'its page was' : `its ${restored} tabs were`;
  const why = exceeded === null ? '' : `, because its pages took too much ${exceeded}`;
  return [
    `The browser had ended since the last call${why}: ${tabs} loaded again, with cookies, storage, and scroll position. ${lost}`,
  ];
}

function describeTabs({ tabs, active }: BrowserReport): string[] {
  if (tabs.length < 2) return [];
  const lines = tabs.map(
    ({ title, url }, index) => `- ${index + 1}: ${title} (${url.slice(0, 200)})${index === active ? ', shown below' : ''}`,
  );
  return ['', 'Tabs:', ...lines];
}

function describePage({ tabs, active, page }: BrowserReport): string[] {
  const tab = tabs[active];
  if (!page || !tab) return ['No page is open.'];
  const { text, part, parts } = page;
  const next = part < parts ? `; {"do": "look", "part": ${part + 1}} shows the next` : '';
  return ['', `${tab.title} (${tab.url})`, '', text, ...(parts > 1 ? ['', `[part ${part} of ${parts}${next}]`] : [])];
}

/** What the model reads of a call. @param exceeded the limit that ended the browser before it */
export function presentReport(report: BrowserReport, exceeded: 'memory' | 'disk' | null = null): ToolOutcome {
  const { done, problem, notes } = report;
  const output = [
    ...describeRestart(report, exceeded),
    ...done.map((line) => `- ${line}`),
    ...(problem === null ? [] : [`- not done: ${problem}`]),
    ...notes.map((note) => `- meanwhile: ${note}`),
    ...describeTabs(report),
    ...describePage(report),
  ].join('\n');
  return { status: problem === null ? 'success' : 'error', output };
}

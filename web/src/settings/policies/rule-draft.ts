import type { Policy, Request } from '@errand/client';

type Rule = Policy['rules'][number];

/** A rule in its form; an empty field means any. */
export interface RuleDraft {
  /** Tells drafts apart while they are moved. */
  key: number;
  decision: Rule['decision'];
  tool: string;
  connector: string;
  argument: string;
}

const anyTool = '*';
let lastKey = 0;

/** The form of a rule, or of a new one. */
export function draftOf(rule?: Rule): RuleDraft {
  const { decision = 'ask', tool = '', connector = '', argument = '' } = rule ?? {};
  return { key: ++lastKey, decision, tool: tool === anyTool ? '' : tool, connector, argument };
}

/** What the forms say, as policy.set takes it. */
export function rulesOf(drafts: readonly RuleDraft[]): Request<'policy.set'>['rules'] {
  return drafts.map(({ decision, tool, connector, argument }) => ({
    decision,
    tool: tool.trim() || anyTool,
    ...(connector !== '' && { connector }),
    ...(argument !== '' && { argument }),
  }));
}

/** The list with an item one place earlier. */
export function movedUp<Item>(items: readonly Item[], at: number): Item[] {
  const [before, item] = [items[at - 1], items[at]];
  return before === undefined || item === undefined ? [...items] : items.toSpliced(at - 1, 2, item, before);
}

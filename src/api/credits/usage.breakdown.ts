import { z } from 'zod';
import { costPerCredit } from '../../rules/credits/pricing.ts';
import { amountOf, type CreditPrice } from '../../rules/credits/credit-price.ts';
import { readUsageBreakdown, usageGroups, type UsageSum } from '../../store/credits/usage-breakdown.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { dayRange, nameOf, readDayRange } from './team-usage-fields.ts';

const sums = {
  calls: z.int().meta({ description: 'Model calls that have ended, interrupted ones included.' }),
  input_tokens: z.int().meta({ description: 'Input tokens as the provider reported them; an interrupted call reports none.' }),
  output_tokens: z.int(),
  cached_tokens: z.int().meta({ description: 'The part of `input_tokens` that came from a cache.' }),
  credits: z.number().meta({ description: 'The cost of the calls, not rounded; usage.list has whole credits for each session.' }),
  money: z.object({ amount: z.number(), currency: z.string() }).meta({ description: 'The cost of the calls in money.' }),
};

const usageSum = z
  .object({
    date: z.int().optional().meta({ description: 'Midnight UTC of the day, Unix time in seconds; present with `by=day`.' }),
    model: z.string().optional().meta({ description: 'The model; present with `by=model`, and empty if it is not known.' }),
    project_id: z
      .string()
      .optional()
      .meta({ description: 'The project; present with `by=project`, and empty for tasks without one.' }),
    project_name: z
      .string()
      .optional()
      .meta({ description: "Name of the project; present for the caller's own projects that exist." }),
    user_id: z
      .string()
      .optional()
      .meta({ description: 'The person whose calls these are, with `by=user`, or whose project it is, with `by=project`.' }),
    user_name: z.string().optional(),
    email: z.string().optional(),
    ...sums,
  })
  .meta({ id: 'UsageSum' });

function presentSums({ calls, input, output, cached, cost }: UsageSum, price: CreditPrice) {
  const credits = cost / costPerCredit;
  const money = { amount: amountOf(credits, price), currency: price.currency };
  return { calls, input_tokens: input, output_tokens: output, cached_tokens: cached, credits, money };
}

function presentSum(sum: UsageSum, price: CreditPrice): z.input<typeof usageSum> {
  const { dayMs, model, projectId, projectName, userId, email } = sum;
  return {
    ...(dayMs !== null && { date: dayMs / 1000 }),
    ...(model !== null && { model }),
    ...(projectId !== null && { project_id: projectId }),
    ...(projectName !== null && { project_name: projectName }),
    ...(userId !== null && { user_id: userId }),
    ...(email !== null && { user_name: nameOf(email), email }),
    ...presentSums(sum, price),
  };
}

/** Where a sum is in its list: days in their order, everything else by cost and tokens, the largest first. The key is ASCII. */
type Place = readonly [first: number, second: number, key: string];

function placeOf({ dayMs, model, projectId, userId, cost, input, output }: UsageSum): Place {
  if (dayMs !== null) return [dayMs, 0, ''];
  return [-cost, -(input + output), encodeURIComponent(`${model ?? ''} ${projectId ?? ''} ${userId ?? ''}`)];
}

function comparePlaces(one: Place, other: Place): number {
  return one[0] - other[0] || one[1] - other[1] || Number(one[2] > other[2]) - Number(one[2] < other[2]);
}

function readPlace(position: string): Place {
  const [first = '', second = '', key = ''] = position.split(' ');
  return [Number(first), Number(second), key];
}

const nothing = { calls: 0, input: 0, output: 0, cached: 0, cost: 0 };

function addUp(found: readonly UsageSum[]): UsageSum {
  const noGroup = { dayMs: null, model: null, projectId: null, projectName: null, userId: null, email: null };
  return found.reduce<UsageSum>(
    (total, sum) => ({
      ...noGroup,
      calls: total.calls + sum.calls,
      input: total.input + sum.input,
      output: total.output + sum.output,
      cached: total.cached + sum.cached,
      cost: total.cost + sum.cost,
    }),
    { ...noGroup, ...nothing },
  );
}

export const usageBreakdown = defineOperation('GET', 'usage.breakdown', {
  summary: 'Adds up the tokens and the cost of model calls by day, model, project, or person.',
  details:
    'Owners and admins of a team see everybody in it, others themselves. Days are oldest first and those without calls are omitted; everything else is sorted by cost.',
  access: 'account',
  request: z.object({
    by: z.enum(usageGroups).default('day'),
    ...dayRange,
    model: z.string().optional().meta({ description: 'Only calls of this model.' }),
    project_id: z.string().optional().meta({ description: 'Only tasks of this project; empty for tasks without a project.' }),
    user_id: z.string().optional().meta({ description: 'Only tasks of this person.' }),
    limit: queryInteger(1, 100, 100),
    cursor,
  }),
  response: z.object({
    total: z.object(sums).meta({ description: 'The sums of all calls that match, on this page or not.' }),
    data: z.array(usageSum),
    ...pageEnd,
  }),
  async handle(
    { by, model = null, project_id: projectId = null, user_id: userId = null, limit, cursor: from, ...range },
    context,
  ) {
    const { credits, principal, read } = context;
    const args = { ...readDayRange(range, context), by, model, projectId, userId };
    const found = await read(readUsageBreakdown, args);
    const sorted = found.toSorted((one, other) => comparePlaces(placeOf(one), placeOf(other)));
    const query = [
      'usage.breakdown',
      principal.accountId,
      by,
      range.start_date ?? null,
      range.end_date ?? null,
      model,
      projectId,
      userId,
    ];
    const { items, end } = await readListPage(
      { query, cursor: from, limit },
      (after, count) => {
        // Sums grow while pages are read, so the page starts after the place, whether or not a sum is still there.
        const place = after === null ? null : readPlace(after);
        const rest = place ? sorted.filter((sum) => comparePlaces(placeOf(sum), place) > 0) : sorted;
        return Promise.resolve(rest.slice(0, count));
      },
      (sum) => placeOf(sum).join(' '),
    );
    const { price } = credits;
    return { total: presentSums(addUp(found), price), data: items.map((sum) => presentSum(sum, price)), ...end };
  },
});

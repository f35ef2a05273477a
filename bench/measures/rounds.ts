import { median } from '../report/statistics.ts';

/** Takes several things in turn, `rounds` times, and answers the median of each: the machine's moods hit all of them alike. */
export async function takeInTurn<Name extends string>(
  rounds: number,
  takes: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(takes) as Name[];
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) taken.get(name)?.push(await takes[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as Record<Name, number>;
}

import { UsageFault } from './exit-code.ts';

export const teamOption = { team: { type: 'string', value: 'TEAM', about: 'Id of the team, or its name.' } } as const;

/** The value of an option that must be given. */
export function requireOption(options: Readonly<Record<string, unknown>>, name: string): string {
  const value = options[name];
  if (typeof value !== 'string') throw new UsageFault(`--${name} is missing`);
  return value;
}

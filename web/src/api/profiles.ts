/** The profiles that a task can be started with. */
export const profiles = ['service-1.6', 'service-1.6-lite', 'service-1.6-max'] as const;
export type Profile = (typeof profiles)[number];

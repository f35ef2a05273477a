/** The profiles, each of which has a model. */
export const profiles = ['service-1.6', 'service-1.6-lite', 'service-1.6-max'] as const;
export type Profile = (typeof profiles)[number];

/** What the other profiles use unless they have models of their own. */
export const standardProfile = 'service-1.6' satisfies Profile;

/** Where the models of a profile come from, in the order in which they win. */
export const modelSources = ['environment', 'settings', 'built_in'] as const;
export type ModelSource = (typeof modelSources)[number];

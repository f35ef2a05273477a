/** A hundred years: longer than anybody keeps tasks. */
export const mostRetentionDays = 36_500;

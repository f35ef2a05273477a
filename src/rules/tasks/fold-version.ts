/**
 * Of what the fold makes of a log. Raise it whenever a log folds to another state than before, so that stored states of the earlier fold
 * are ignored; a test compares the states of many logs.
 */
export const foldVersion = 7;

/**
 * The version of the fold. Raise it whenever a log folds to another state than before, so that states stored by the earlier fold are
 * ignored; a test compares the states of many logs.
 */
export const foldVersion = 10;

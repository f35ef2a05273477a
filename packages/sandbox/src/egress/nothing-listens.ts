/** A port of a sandbox at which no program answers; the message is for the reader of what asked for it. */
export class NothingListens extends Error {}

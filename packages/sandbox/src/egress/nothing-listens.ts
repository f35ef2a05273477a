/** Thrown if no program listens at a port of a sandbox; the message is for the reader of what asked for the connection. */
export class NothingListens extends Error {}

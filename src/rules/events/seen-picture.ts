/** A picture that a tool has looked at, as models are shown it. */
export interface SeenPicture {
  blobId: string;
  bytes: number;
  /** What it shows, in the workspace or elsewhere. */
  name: string;
}

/** A picture that a tool has viewed, in the form that models receive. */
export interface SeenPicture {
  blobId: string;
  bytes: number;
  /** Where it comes from: a path in the workspace, or elsewhere. */
  name: string;
}

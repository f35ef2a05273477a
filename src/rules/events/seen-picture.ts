/** A picture that a tool has viewed, in the form that models receive. */
export interface SeenPicture {
  blobId: string;
  bytes: number;
  /** The origin of the picture: a path in the workspace, or elsewhere. */
  name: string;
}

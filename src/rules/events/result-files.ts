/** A file stored by the service. Its blob is durable before any event names it. */
export interface StoredFile {
  blobId: string;
  filename: string;
  /** A MIME type. */
  contentType: string;
  bytes: number;
}

/** The two forms of one deck. */
export interface SlidesForms {
  html: StoredFile;
  pptx: StoredFile;
}

/** A file attached to a message. Only slides have `forms`, and the file is then one of them. */
export interface Attachment extends StoredFile {
  kind: 'image' | 'file' | 'voice' | 'slides';
  forms?: SlidesForms;
}

/** What a tool made in the workspace, if the file name does not tell. A later `file` at the same path replaces an earlier kind. */
export type Made =
  | { kind: 'file'; path: string }
  /** A deck: `path` is one of its two forms. */
  | { kind: 'slides'; path: string; forms: { html: string; pptx: string } };

/** An artifact. A later delivery from one of its paths, or in a later step under its name, is a newer version of it. */
export interface ArtifactPlace {
  artifactId: string;
  /** The path in the workspace from which its first version came: its key in the library. */
  path: string;
  /** The path from which its newest version came, if that is another one. */
  from?: string;
  displayName: string;
  /** In the state of a task: the step that delivered its newest version. */
  step?: number;
}

/** A file of the workspace that the agent delivered to its user. */
export interface DeliveredFile extends ArtifactPlace {
  attachment: Attachment;
  /** Of a newer version: whether the agent gives the artifact another name. */
  isRenamed?: boolean;
}

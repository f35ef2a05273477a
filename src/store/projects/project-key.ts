/** A project is only found together with its account. */
export interface ProjectKey {
  accountId: string;
  projectId: string;
}

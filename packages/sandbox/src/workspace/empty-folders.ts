import { HeldFolder } from './held-folder.ts';

/** Creates a folder of the service with these folders inside, as far as they are missing; tool code may change all of them. */
export async function makeFolders(root: string, names: readonly string[]): Promise<void> {
  await using top = await HeldFolder.holdOrMake(root);
  for (const name of names) await (await top.enterOrMake(name))[Symbol.asyncDispose]();
}

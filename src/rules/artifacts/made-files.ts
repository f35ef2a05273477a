import type { ArtifactPlace, DeliveredFile, Made, SiteCheckpoint, TaskEvent } from '../events/task-event.ts';

/** Every path of a deck leads to it, so that either form can be delivered. */
function pathsOf(made: Made): string[] {
  return made.kind === 'slides' ? [made.path, made.forms.html, made.forms.pptx] : [made.path];
}

/** The workspace's entries after a tool made something: a plain file replaces the previous entry. */
export function replaceMade(earlier: readonly Made[], made: readonly Made[]): readonly Made[] {
  if (made.length === 0) return earlier;
  const replaced = new Set(made.flatMap(pathsOf));
  const kept = earlier.filter((each) => !pathsOf(each).some((path) => replaced.has(path)));
  return [...kept, ...made.filter(({ kind }) => kind !== 'file')];
}

/** The kind of entry at a path of the workspace. */
export function findMade(made: readonly Made[], path: string): Made {
  return made.find((each) => pathsOf(each).includes(path)) ?? { kind: 'file', path };
}

/** Delivered files with one added: the newest of each artifact. */
function addDelivery(earlier: readonly DeliveredFile[], file: DeliveredFile): DeliveredFile[] {
  return [...earlier.filter(({ path, artifactId }) => path !== file.path && artifactId !== file.artifactId), file];
}

function addPlace(earlier: readonly ArtifactPlace[], { artifactId, path, displayName }: ArtifactPlace): readonly ArtifactPlace[] {
  const known = earlier.find((place) => place.path === path);
  if (known?.displayName === displayName) return earlier;
  return [...earlier.filter((place) => place !== known), { artifactId: known?.artifactId ?? artifactId, path, displayName }];
}

const extensionOf = (path: string) => /\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? '';

/** The artifact that a file named for the user continues: one of that name and of the same kind. */
export function findNamed(artifacts: readonly ArtifactPlace[], path: string, displayName: string): ArtifactPlace | undefined {
  return artifacts.find((place) => place.displayName === displayName && extensionOf(place.path) === extensionOf(path));
}

/** The name with which a file is downloaded: its name for the user, with its extension and without what not every system allows. */
export function chooseFilename(own: string, name: string | undefined): string {
  const extension = /\.[^.]+$/.exec(own)?.[0] ?? '';
  const hasExtension = name !== undefined && name.toLowerCase().endsWith(extension.toLowerCase());
  const stem = hasExtension ? name.slice(0, name.length - extension.length) : (name ?? '');
  const allowed = stem.replace(/[/\\:*?"<>|\p{Cc}]+/gu, '-').replace(/^[.\s]+/, '');
  return allowed === '' ? own : `${allowed}${extension}`;
}

/** Sites with a newer checkpoint of one of them, or with one more. */
function addCheckpoint(earlier: readonly SiteCheckpoint[], site: SiteCheckpoint): SiteCheckpoint[] {
  return [...earlier.filter(({ folder }) => folder !== site.folder), site];
}

interface Results {
  delivered: readonly DeliveredFile[];
  artifacts: readonly ArtifactPlace[];
  sites: readonly SiteCheckpoint[];
}

/** The results given to the user, with one added. */
export function addResult(
  { delivered, artifacts, sites }: Results,
  event: Extract<TaskEvent, { type: 'file_delivered' | 'site_made' }>,
): Partial<Results> {
  if (event.type === 'site_made') {
    const { type: _type, ...site } = event;
    return { sites: addCheckpoint(sites, site) };
  }
  const { type: _type, ...file } = event;
  return { delivered: addDelivery(delivered, file), artifacts: addPlace(artifacts, file) };
}

import { extensionOf } from './artifact-type.ts';
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

function addPlace(earlier: readonly ArtifactPlace[], file: ArtifactPlace, step: number): readonly ArtifactPlace[] {
  const { artifactId, path, from, displayName } = file;
  const known = earlier.find((place) => place.path === path);
  const place = { artifactId: known?.artifactId ?? artifactId, path, ...(from !== undefined && { from }), displayName, step };
  return [...earlier.filter((other) => other !== known), place];
}

/**
 * The artifact that each of these files continues, undefined for none: the one that came from its path, else one of its name and kind that no
 * other of these files continues. Files of one step that have the same name are different results: the model named them without a look at each
 * other's outcome.
 * @param step the current step of the task
 */
export function matchArtifacts(
  files: readonly { from: string; name: string }[],
  artifacts: readonly ArtifactPlace[],
  step: number,
): (ArtifactPlace | undefined)[] {
  const byPath = files.map(
    ({ from }) =>
      artifacts.find((place) => (place.from ?? place.path) === from) ?? artifacts.find((place) => place.path === from),
  );
  const taken = new Set(byPath.map((place) => place?.artifactId));
  return files.map(({ from, name }, at) => {
    if (byPath[at]) return byPath[at];
    const named = artifacts.find(
      (place) =>
        place.displayName === name &&
        place.step !== step &&
        extensionOf(place.path) === extensionOf(from) &&
        !taken.has(place.artifactId),
    );
    if (named) taken.add(named.artifactId);
    return named;
  });
}

/** The longest name that file systems take. */
const longestName = 255;

/** The name with which a file is downloaded: its name for the user if that is a file name of its kind on every system, else its own. */
export function chooseFilename(own: string, name: string): string {
  const extension = extensionOf(own);
  const isOfKind = extension !== null && extensionOf(name) === extension;
  const isAllowed = !/[/\\:*?"<>|\p{Cc}\p{Bidi_Control}]|^[.\s]/u.test(name) && Buffer.byteLength(name) <= longestName;
  return isOfKind && isAllowed ? name : own;
}

/** Sites with a newer checkpoint of one of them, or with one more. */
function addCheckpoint(earlier: readonly SiteCheckpoint[], site: SiteCheckpoint): SiteCheckpoint[] {
  return [...earlier.filter(({ folder }) => folder !== site.folder), site];
}

interface Results {
  delivered: readonly DeliveredFile[];
  artifacts: readonly ArtifactPlace[];
  sites: readonly SiteCheckpoint[];
  step: number;
}

/** The results given to the user, with one added. */
export function addResult(
  { delivered, artifacts, sites, step }: Results,
  event: Extract<TaskEvent, { type: 'file_delivered' | 'site_made' }>,
): Partial<Results> {
  if (event.type === 'site_made') {
    const { type: _type, ...site } = event;
    return { sites: addCheckpoint(sites, site) };
  }
  const { type: _type, ...file } = event;
  return { delivered: addDelivery(delivered, file), artifacts: addPlace(artifacts, file, step) };
}

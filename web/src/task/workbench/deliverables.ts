import { fileOfAttachment, type PreviewFile } from '../../previews/files/preview-file.ts';
import { endingOf } from '../../previews/files/preview-kind.ts';
import type { TaskFile } from '../conversation/row.ts';

/** Something that the agent delivered, in one or more formats. */
export interface Deliverable {
  /** Stays the same when a newer version is delivered. */
  key: string;
  /** The filename, without its ending if there are several formats. */
  name: string;
  /** What is shown first comes first. */
  forms: readonly PreviewFile[];
  atMs: number;
  /** The event of the newest delivery. */
  eventId: string;
}

/** Endings under which the same content is delivered, in the order of how well they can be shown. */
const families = [
  'html htm pdf docx odt pptx odp md epub rtf tex',
  'png svg jpg jpeg webp',
  'xlsx ods csv tsv',
  'mp4 webm mov',
  'mp3 wav ogg flac',
].map((endings) => endings.split(' '));

/** The family of a file, and its rank among the formats in it. */
function placeOf({ filename }: PreviewFile): { family: number; rank: number; stem: string } {
  const ending = endingOf(filename);
  const family = families.findIndex((endings) => endings.includes(ending));
  const stem = family < 0 ? filename : filename.slice(0, -ending.length - 1);
  return { family, rank: families[family]?.indexOf(ending) ?? 0, stem };
}

/** What the agent has delivered, in the order of the first delivery: files that differ only in their format are one. */
export function listDeliverables(files: readonly TaskFile[]): readonly Deliverable[] {
  const found = new Map<string, Deliverable>();
  for (const { attachment, atMs, eventId, isFromAgent } of files) {
    if (!isFromAgent) continue;
    const file = fileOfAttachment(attachment);
    const { family, stem } = placeOf(file);
    const key = `${family}/${stem}`;
    const known = found.get(key);
    const forms = [...(known?.forms ?? []), file].toSorted((one, other) => placeOf(one).rank - placeOf(other).rank);
    const newest = known && known.atMs > atMs ? known : { atMs, eventId };
    const name = forms.length > 1 ? stem : file.filename;
    found.set(key, { key, name, forms, atMs: newest.atMs, eventId: newest.eventId });
  }
  return [...found.values()];
}

/** The first one of the newest delivery. */
export function newestDeliverable(deliverables: readonly Deliverable[]): Deliverable | undefined {
  const newestMs = Math.max(...deliverables.map(({ atMs }) => atMs));
  return deliverables.find(({ atMs }) => atMs === newestMs);
}

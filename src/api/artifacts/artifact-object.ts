import { z } from 'zod';
import { artifactFileTypes, artifactTypes } from '../../rules/artifacts/artifact-type.ts';
import type { StoredFile } from '../../rules/events/task-event.ts';
import type { ArtifactRecord } from '../../store/artifacts/artifact-record.ts';
import type { Context } from '../contract/operation.ts';

const source = z
  .union([
    z.object({ type: z.literal('api_key'), id: z.string(), name: z.string().optional() }),
    z.object({ type: z.literal('oauth_client'), id: z.string(), name: z.string().optional() }),
  ])
  .meta({
    id: 'ArtifactSource',
    description: 'The credential that created the task; absent for tasks created in the web application.',
  });

/** An artifact (docs/reference/api.md#artifact). */
export const artifactObject = z
  .object({
    id: z.string(),
    task_id: z.string().meta({ description: 'The task that created the artifact.' }),
    filename: z.string(),
    display_name: z.string(),
    type: z.enum(artifactTypes),
    file_type: z.enum(artifactFileTypes),
    favorite: z.boolean(),
    url: z.string().optional().meta({
      description: 'Download URL, valid for 48 hours and renewed in every response; for a website, its published URL.',
    }),
    cover_image: z.string().optional().meta({ description: 'URL of a preview image, valid as long as a download URL.' }),
    resource_uri: z.string().optional().meta({ description: 'Replaces `url` where there is nothing to download.' }),
    platform_type: z.string().optional(),
    source: source.optional(),
  })
  .meta({ id: 'Artifact' });

type ArtifactObject = z.input<typeof artifactObject>;

function named(name: string | null): { name?: string } {
  return name === null ? {} : { name };
}

function presentSource({ apiKeyId, apiKeyName, oauthClientId, oauthClientName }: ArtifactRecord): Pick<ArtifactObject, 'source'> {
  if (apiKeyId !== null) return { source: { type: 'api_key', id: apiKeyId, ...named(apiKeyName) } };
  return oauthClientId === null ? {} : { source: { type: 'oauth_client', id: oauthClientId, ...named(oauthClientName) } };
}

export function presentArtifact(artifact: ArtifactRecord, { urls }: Pick<Context, 'urls'>): ArtifactObject {
  const { accountId, attachment, cover, resourceUri, platformType, site } = artifact;
  const addressOf = ({ blobId, filename, contentType, bytes }: StoredFile) =>
    urls.file({ accountId, blobId, filename, contentType, bytes });
  return {
    id: artifact.id,
    task_id: artifact.taskId,
    filename: artifact.filename,
    display_name: artifact.displayName,
    type: artifact.type,
    file_type: artifact.fileType,
    favorite: artifact.isFavorite,
    ...(attachment !== null && resourceUri === null && { url: addressOf(attachment) }),
    ...(site !== null && { url: urls.site({ accountId, ...site }) }),
    ...(cover !== null && { cover_image: addressOf(cover) }),
    ...(resourceUri !== null && { resource_uri: resourceUri }),
    ...(platformType !== null && { platform_type: platformType }),
    ...presentSource(artifact),
  };
}

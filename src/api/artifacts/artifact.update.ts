import { z } from 'zod';
import { Fault, missingField } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { boundClientOf } from '../../rules/accounts/access.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { updateArtifact } from '../../store/artifacts/artifacts.ts';
import { artifactObject, presentArtifact } from './artifact-object.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { missing } from '../contract/input-check.ts';
import { defineOperation } from '../contract/operation.ts';

const longestName = 200;

export const artifactUpdate = defineOperation('POST', 'artifact.update', {
  summary: 'Renames an artifact or marks it as a favorite.',
  details: "At least one of the two is required. The artifact's category does not change.",
  access: 'tasks',
  request: z.object({
    artifact_id: requiredText('Identifier of the artifact.'),
    display_name: optional(z.string().max(longestName).transform(toOneLine).pipe(z.string().min(1, missing))).meta({
      description: 'The new display name.',
    }),
    favorite: optional(z.boolean()),
  }),
  response: z.object({ artifact: artifactObject }),
  async handle({ artifact_id: artifactId, display_name, favorite }, context) {
    if (display_name === undefined && favorite === undefined) {
      throw missingField('favorite', ', or display_name');
    }
    if (!isId(artifactId)) throw new Fault('not_found', 'artifact not found');
    const { principal, now } = context;
    const artifact = await context.write(updateArtifact, {
      accountId: principal.accountId,
      artifactId,
      onlyClientId: boundClientOf(principal),
      now,
      displayName: display_name ?? null,
      isFavorite: favorite ?? null,
    });
    return { artifact: presentArtifact(artifact, context) };
  },
});

import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { boundClientOf } from '../../rules/accounts/access.ts';
import { getArtifact } from '../../store/artifacts/artifacts.ts';
import { artifactObject, presentArtifact } from './artifact-object.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

export const artifactDetail = defineOperation('GET', 'artifact.detail', {
  summary: 'Returns an artifact with URLs valid for 48 hours.',
  access: 'tasks',
  request: z.object({ artifact_id: requiredText('Identifier of the artifact.') }),
  response: z.object({ artifact: artifactObject }),
  async handle({ artifact_id: artifactId }, context) {
    if (!isId(artifactId)) throw new Fault('not_found', 'artifact not found');
    const { principal } = context;
    const key = { accountId: principal.accountId, artifactId, onlyClientId: boundClientOf(principal) };
    return { artifact: presentArtifact(await context.read(getArtifact, key), context) };
  },
});

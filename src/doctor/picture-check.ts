import { silentLog } from '@errand/base/log.ts';
import { Metrics } from '@errand/base/metrics.ts';
import { buildPictureModel } from '../app/build-side-models.ts';
import { openEnvironmentModels } from '../app/models/build-models.ts';
import type { Check, DoctorContext } from './check.ts';

/** Reports the model that makes pictures. It is not called, because every picture costs money. */
export async function checkPictures({ config, clock }: DoctorContext): Promise<Check> {
  const name = 'pictures';
  const { current } = await openEnvironmentModels({ config, clock, log: silentLog, metrics: new Metrics() });
  const model = buildPictureModel(config, current.opened['service-1.6'], clock);
  if (model) return { name, state: 'ok', found: `${model.name} makes pictures (not called, because each is paid)` };
  const remedy = 'set ERRAND_IMAGE_MODEL, for example to openai/gpt-image-2.5-flare with OPENAI_API_KEY';
  return { name, state: 'missing', found: 'agents make no pictures (make_image): no image model is configured', remedy };
}

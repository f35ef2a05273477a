import { errand } from '../../api/errand.ts';
import { startDownload } from './download.ts';

/** Downloads all files of a task, or the given artifacts, as one zip file. Rejects with an `ErrandError`. */
export async function downloadAll(of: { taskId: string } | { artifactIds: readonly string[] }): Promise<void> {
  const request = 'taskId' in of ? { task_id: of.taskId } : { artifact_ids: of.artifactIds.join(',') };
  const { url, filename } = await errand.artifact.archive(request);
  startDownload(url, filename);
}

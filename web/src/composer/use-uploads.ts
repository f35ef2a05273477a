import { useCallback, useEffect, useRef, useState } from 'react';
import { errand } from '../api/errand.ts';
import { transferFile } from './file-transfer.ts';

export interface Upload {
  key: number;
  filename: string;
  bytes: number;
  /** The fraction sent so far, 0 to 1. */
  progress: number;
  state: 'sending' | 'ready' | 'failed';
  fileId?: string;
  error?: unknown;
}

/** The service's own limit on files in a message is higher; nobody picks more intentionally. */
const mostFiles = 50;

let lastKey = 0;

/** Files of a draft. They are uploaded at once, while the text is still being written. */
export function useUploads() {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const controllers = useRef(new Map<number, AbortController>());

  const change = useCallback((key: number, facts: Partial<Upload>) => {
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...facts } : one)));
  }, []);

  const start = useCallback(
    async (key: number, file: File) => {
      const controller = new AbortController();
      controllers.current.set(key, controller);
      try {
        const fileId = await transferFile(file, (progress) => change(key, { progress }), controller.signal);
        change(key, { state: 'ready', progress: 1, fileId });
      } catch (error) {
        if (!controller.signal.aborted) change(key, { state: 'failed', error });
      } finally {
        controllers.current.delete(key);
      }
    },
    [change],
  );

  const add = useCallback(
    (files: Iterable<File>) => {
      for (const file of Array.from(files).slice(0, mostFiles)) {
        lastKey += 1;
        const key = lastKey;
        setUploads((all) => [...all, { key, filename: file.name, bytes: file.size, progress: 0, state: 'sending' }]);
        void start(key, file);
      }
    },
    [start],
  );

  const remove = useCallback((upload: Upload) => {
    controllers.current.get(upload.key)?.abort();
    setUploads((all) => all.filter((one) => one.key !== upload.key));
    // No message will refer to it. The service would delete it automatically in two days.
    if (upload.fileId !== undefined) void errand.file.delete({ file_id: upload.fileId }).catch(() => undefined);
  }, []);

  const clear = useCallback(() => setUploads([]), []);

  useEffect(() => {
    const open = controllers.current;
    return () => {
      for (const controller of open.values()) controller.abort();
    };
  }, []);

  return { uploads, add, remove, clear };
}

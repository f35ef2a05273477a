import { Fault } from '@errand/base/fault.ts';
import { serveJobs } from '@errand/base/threads/job-worker.ts';
import type { LookupAnswer } from './mail-reader.ts';
import { type MailJob, readMail } from './read-mail.ts';
import type { Lookup } from './sender-proof.ts';

serveJobs({
  async read(job, ask) {
    const lookup: Lookup = async (name, type) => {
      const { records, code } = (await ask('lookup', { name, type })) as LookupAnswer;
      // The libraries tell a missing name from a failure by the code.
      if (code !== undefined) throw Object.assign(new Error(`The look-up of ${type} records failed: ${code}`), { code });
      return records as string[][] | string[];
    };
    try {
      return await readMail(job as MailJob, lookup);
    } catch (error) {
      // What breaks a library once breaks it each time that the mail is sent.
      throw error instanceof Fault ? error : new Fault('invalid_argument', 'The mail cannot be read: it is malformed.');
    }
  },
});

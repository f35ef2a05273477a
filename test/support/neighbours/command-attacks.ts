import type { Attack } from './attack.ts';
import { Crew, mark } from './crew.ts';

/** @param lines what the task does after the command */
function attackBy(name: string, command: string, lines = ''): Attack {
  return {
    name,
    async begin({ hostile, service, strength }) {
      const crew = new Crew(hostile, `run touch ${mark}; ${command}${lines}`, strength);
      await crew.waitForMarks(service.dataDir, strength);
      return crew;
    },
  };
}

/** Each process stays below the limit; together they exceed it. */
const bomb = `python3 -c 'import time; held = b"x" * (700 << 20); time.sleep(600)'`;
/** Sixteen processes with as many sockets as one can have open. */
const sockets = `import os, socket, time
[os.fork() for _ in range(4)]
held = [socket.socketpair() for _ in range(450)]
time.sleep(600)`;

/** Commands that run until they are ended by a limit, or by whoever stops their tasks. */
export const busyLoops = attackBy('busy loops', 'for i in $(seq 100); do (while :; do :; done) & done; wait');
export const memoryBombs = attackBy('memory bombs', `${bomb} & ${bomb} & wait`);
export const fullDisks = attackBy('full disks', 'for ((i = 0; ; i++)); do head -c 64M /dev/zero > $i; done');
export const manyFiles = attackBy('many files', 'for ((i = 0; ; i++)); do mkdir $i && seq -f $i/%.0f 1000 | xargs touch; done');
export const manySockets = attackBy('many sockets', `python3 -c '${sockets.replaceAll('\n', '; ')}'`);

/** 480 MB in an archive of 4 MB, which is no bomb to its reader. */
const archive = `import os, zipfile
packed = zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED)
[packed.writestr(str(n), (os.urandom(4096) + bytes(500000)) * 120) for n in range(8)]
packed.close()`;

/** Archives that are unpacked, and searches through all that was in them: slots, threads, and the disk. */
export const archives = attackBy(
  'archives',
  `python3 -c '${archive.replaceAll('\n', '; ')}'`,
  '\nunpack a.zip into one\nsearch absent\nunpack a.zip into two\nsearch missing',
);

/** Documents that are made and delivered, of which the service makes PDFs and covers. */
export const documents = attackBy(
  'documents',
  'seq -f "## Chapter %.0f" 300 > a.md',
  '\ndocument a.docx from a.md\ndeliver a.docx\ndocument b.pdf from a.md\ndeliver b.pdf',
);

/** What the worker of a service has to be set to for `occupiedSlots`. */
export const workerSlots = 16;

/** More commands that only wait than a worker has slots; the last ones are never begun. */
export const occupiedSlots: Attack = {
  name: 'occupied slots',
  async begin({ hostile, service }) {
    const crew = new Crew(hostile, `run touch ${mark}; sleep 600`, workerSlots + 4);
    await crew.waitForMarks(service.dataDir, workerSlots - workerSlots / 8);
    return crew;
  },
};

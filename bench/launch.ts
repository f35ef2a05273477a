import process from 'node:process';

// Becomes `npm start`: the supervisor runs a script with plain node, users run errand with the flags and settings of its launcher.
const command = ['sh', 'bin/errand', ...process.argv.slice(2)];
if (!process.execve) throw new Error('this system cannot replace a process');
process.execve('/bin/sh', command, process.env);

import { Child } from './child.ts';
import { createFolder } from './leftovers.ts';

/** A test run that will be killed while it still has a listening process and a folder. */
const folder = createFolder('abandoned');
const server = "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port); })";
const child = await Child.start(process.execPath, ['-e', server], { env: {}, cwd: folder });
const { text: port } = await child.waitForLine(() => true);
console.log(JSON.stringify({ folder, port: Number(port) }));

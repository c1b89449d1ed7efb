// Preloaded into a measured process: says on descriptor 3 how much CPU it took.
import { writeSync } from 'node:fs';

process.on('exit', () => writeSync(3, JSON.stringify(process.cpuUsage())));

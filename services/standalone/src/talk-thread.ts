import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

import { systemClock } from '@tollgate/kernel/clock';
import { startHeartbeat } from '@tollgate/runtime/timing/heartbeat';

// The thread that `startTalking` starts: it says what the start is at. Its process.stdout would wait for the main thread.
const heartbeat = startHeartbeat({ clock: systemClock, say });
parentPort?.on('message', heartbeat.at);

function say(step: string, seconds: number): void {
  try {
    writeSync(1, `Starting Tollgate: ${step}, ${seconds} s\n`);
  } catch {
    // A reader that has gone, or is slow, must not end the start.
  }
}

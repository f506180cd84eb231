import { describe } from '@jest/globals';
import { startRecording } from '../../packages/sdk/test/support/start-recording.ts';
import { describeWithPython, openPython, pythonClient } from '../clients/python-environment.ts';
import { itWith } from '../it-with.ts';
import { killPrograms, openKilling } from './kill-programs.ts';
import { startPythonRecording } from './start-python-recording.ts';

/** `KILLS=200 EVENTS=200000` is the long form, run by hand. */
const kills = Number(process.env['KILLS'] ?? 8);
const events = Number(process.env['EVENTS'] ?? 2_000);
const timeoutMs = 180_000 + kills * 10_000;

describe('programs that meter their calls and are killed', () => {
  const it = itWith((undo) => openKilling('spool', undo));

  it(
    `F212 every record() that returned is counted once and none else, through ${kills} kills of programs, service and network`,
    (killing) => killPrograms(killing, { kills, events, programs: [startRecording] }),
    timeoutMs,
  );
});

describeWithPython('programs in Python and in JavaScript that share a folder at once and are killed', () => {
  const it = itWith(async (undo) => {
    const python = await openPython(undo, [pythonClient]);
    return { killing: await openKilling('python-spool', undo), python };
  });

  it(
    `F178 every record() that returned is counted once and none else, through ${kills} kills of programs, service and network`,
    ({ killing, python }) =>
      killPrograms(killing, {
        kills,
        events,
        programs: [(options) => startPythonRecording(python, options), startRecording],
      }),
    timeoutMs,
  );
});

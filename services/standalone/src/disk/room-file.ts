import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { writeWhole } from '@tollgate/runtime/data-folder/write-whole';
import { secondsUntilFull, type Room } from './seconds-until-full.ts';

/** A little more than a day of hours. */
const keptMax = 26;

export interface DiskState extends Room {
  readonly sizeBytes: number;
  /** At the rate of the last day. Null: the disk does not fill, or nobody knows yet. */
  readonly secondsUntilFull: number | null;
}

/** The disk of a data folder now, compared with what the running Tollgate has noted there. It only reads. */
export function readDisk(dataDir: string, clock: Pick<Clock, 'now'>): DiskState {
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  const room = { atMs: clock.now(), freeBytes: bavail * bsize };
  return { ...room, sizeBytes: blocks * bsize, secondsUntilFull: secondsUntilFull(readRooms(dataDir), room) };
}

/** Notes the room in the data folder, once per hour: `status` and the next start compare with it. */
export function noteRoom(dataDir: string, { atMs, freeBytes }: Room): void {
  const rooms = readRooms(dataDir);
  const last = rooms.at(-1);
  if (last !== undefined && atMs - last.atMs < hourMs && atMs >= last.atMs) return;
  const earlier = rooms.filter((room) => room.atMs < atMs); // a clock that went back says nothing of a rate
  writeWhole(fileOf(dataDir), `${JSON.stringify([...earlier, { atMs, freeBytes }].slice(-keptMax))}\n`);
}

function readRooms(dataDir: string): readonly Room[] {
  const file = fileOf(dataDir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Room[]) : []; // our own file, written whole
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'disk-room.json');
}

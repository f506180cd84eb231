import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mountLargeDisk, mountSmallDisk, tryLargeDisk, trySmallDisk, type TestDisk } from '@tollgate/testkit/disks';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { useMeter } from './support/use-meter.ts';

const call = { tool: 'search' };

const describeDisk = await describeWhere('a small disk', trySmallDisk);

describeDisk('a spool on a disk in trouble', () => {
  const bench = useMeter();
  let folder: string;
  let disk: TestDisk;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'spool-disk-'));
    disk = await mountSmallDisk(folder, { bytes: 2 * 1024 * 1024 });
  });
  afterEach(async () => {
    await disk.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  it('F202 on a full disk record() rejects with the key, loses nothing, and records again when there is room', async () => {
    bench.server.always = { status: 503, code: 'unavailable' };
    const meter = await bench.open({ dir: disk.path });
    const kept = [(await meter.record(call)).idempotencyKey];
    await disk.fill();
    const refused: string[] = [];
    for (let tries = 0; tries < 100 && refused.length < 3; tries += 1) {
      await meter.record(call).then(
        ({ idempotencyKey }) => kept.push(idempotencyKey),
        (error: { code: string; idempotencyKey: string; message: string }) => {
          expect(error).toMatchObject({ code: 'ENOSPC', message: 'the event was not kept: the disk is full' });
          refused.push(error.idempotencyKey);
        },
      );
    }
    expect(refused).toHaveLength(3);
    disk.free();
    for (const idempotencyKey of [...refused, 'later']) {
      await meter.record({ ...call, idempotencyKey });
      kept.push(idempotencyKey);
    }
    bench.server.always = undefined;
    await eventually(() => meter.stats().queued === 0, { withinMs: 10_000 });
    await meter.close();
    expect([...bench.server.counted.keys()].sort()).toEqual(kept.sort());
  });

  it('F202 events that a full disk refused are not sent later, though some of them were written', async () => {
    bench.server.always = { status: 503, code: 'unavailable' };
    const meter = await bench.open({ dir: disk.path });
    const kept = [(await meter.record(call)).idempotencyKey];
    await disk.fill();
    const results = await Promise.allSettled(Array.from({ length: 500 }, () => meter.record(call))); // too many for a page
    for (const result of results) if (result.status === 'fulfilled') kept.push(result.value.idempotencyKey);
    expect(kept.length).toBeLessThan(250);
    await meter.close({ timeoutMs: 0 });
    disk.free();
    bench.server.always = undefined;
    await (await bench.open({ dir: disk.path })).close();
    expect([...bench.server.counted.keys()].sort()).toEqual(kept.sort());
  });

  it('F203 a folder that cannot be written is refused at once, with its name', async () => {
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    await expect(bench.open({ dir: disk.path })).rejects.toThrow(
      `the spool folder ${disk.path} cannot be written (EROFS): choose another \`dir\``,
    );
  });
});

const describeLargeDisk = await describeWhere('a disk in a file', tryLargeDisk);

describeLargeDisk('a spool on a machine that loses its power', () => {
  const bench = useMeter();
  let folder: string;
  const disks: TestDisk[] = [];
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'spool-power-'))));
  afterEach(async () => {
    for (const disk of disks.splice(0)) await disk.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  it('F145 has every event whose record() had returned', async () => {
    bench.server.always = { status: 503, code: 'unavailable' };
    const disk = await mountLargeDisk(folder, { bytes: 32 * 1024 * 1024, hasJournal: true });
    disks.push(disk);
    const meter = await bench.open({ dir: join(disk.path, 'spool') });
    const kept: string[] = [];
    for (let group = 0; group < 5; group += 1) {
      const recorded = await Promise.all(Array.from({ length: 20 }, () => meter.record(call)));
      kept.push(...recorded.map(({ idempotencyKey }) => idempotencyKey));
    }
    const after = join(folder, 'after');
    mkdirSync(after);
    const found = await disk.afterPowerCut(after);
    disks.unshift(found);
    await meter.close({ timeoutMs: 0 });

    const dir = join(found.path, 'spool');
    // The machine starts again, so no process of before lives.
    for (const lock of readdirSync(dir).filter((name) => name.endsWith('.lock'))) rmSync(join(dir, lock));
    bench.server.always = undefined;
    await (await bench.open({ dir })).close();
    expect([...bench.server.counted.keys()].sort()).toEqual(kept.sort());
  });
});

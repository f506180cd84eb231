import { readFileSync } from 'node:fs';

/** Loaded before a program. It shifts `Date` by the ms in the file, at the start and after each signal. */
const machine = Date;
const file = process.env['WRONG_CLOCK_FILE'] ?? '';
const read = (): number => Number(readFileSync(file, 'utf8'));
const now = (): number => machine.now() + offMs;
let offMs = read();

process.on('SIGUSR2', () => void (offMs = read()));
globalThis.Date = new Proxy(machine, {
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made) as Date,
  apply: () => new machine(now()).toString(),
});

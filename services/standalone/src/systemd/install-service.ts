import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { CommandError } from '../commands/command-error.ts';
import { settingsPath, unitFiles, type UnitFile } from './units.ts';

export interface InstallOptions {
  readonly port: string;
  readonly memory: string;
  readonly backupTo?: string;
  readonly keep: number;
  readonly root: string;
  readonly dryRun?: true;
}

/** `tollgate operator service install`: writes the files, and says which commands start the service. */
export function installService(options: InstallOptions, running = findProgram()): string {
  const files = unitFiles({ ...running, ...checked(options) });
  if (options.dryRun === true) return files.map(({ path, text }) => `# ${path}\n${text}`).join('\n');
  const lines = files.map((file) => writeFile(options.root, file));
  return [...lines, '', ...nextSteps(options)].join('\n');
}

function checked({ port: portText, memory, backupTo, keep }: InstallOptions) {
  const port = Number(portText);
  if (!Number.isInteger(port) || port < 1_024 || port > 65_534)
    throw new CommandError('--port must be from 1024 to 65534: the service has no right to a lower one');
  if (!/^\d+[KMGT]?$/.test(memory)) throw new CommandError('--memory must be a size such as 2G or 800M');
  if (backupTo !== undefined && !isAbsolute(backupTo))
    throw new CommandError('--backup-to must be an absolute path: systemd knows no current folder');
  return { port, memory, backups: backupTo === undefined ? undefined : { folder: backupTo, keep } };
}

/** The unit names the files that run now, so they must be where the service may read them, and must stay there. */
function findProgram(): { readonly node: string; readonly program: string } {
  const found = { node: process.execPath, program: realpathSync(process.argv[1] ?? '') };
  for (const path of Object.values(found)) {
    if (/^\/(home|root|tmp)\//.test(path) || path.includes('/_npx/'))
      throw new CommandError(
        `${path} would be hidden from the service, or may be cleaned up: install Node for all users, and Tollgate by \`npm install --global tollgate\``,
      );
  }
  return found;
}

function writeFile(root: string, { path, text, mode, isSettings }: UnitFile): string {
  const file = join(root, path);
  if (isSettings === true && existsSync(file)) return `${path} stays as it is`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    chmodSync(file, mode); // a file that was there before keeps its mode otherwise
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    throw new CommandError(`${file} cannot be written: run the command as root, or see the files with --dry-run`);
  }
  return `wrote ${path}`;
}

function nextSteps({ backupTo }: InstallOptions): readonly string[] {
  const units = ['tollgate.service', ...(backupTo === undefined ? [] : ['tollgate-backup.timer'])].join(' ');
  return [
    `Put your settings into ${settingsPath}. Then:`,
    '  systemd-sysusers',
    ...(backupTo === undefined ? [] : [`  install -d -m 700 -o tollgate -g tollgate ${backupTo}`]),
    '  systemctl daemon-reload',
    `  systemctl enable --now ${units}`,
    '  systemctl status tollgate',
  ];
}

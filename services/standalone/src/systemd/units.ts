export interface UnitFacts {
  /** Absolute paths. */
  readonly node: string;
  readonly program: string;
  readonly port: number;
  /** As systemd writes it. */
  readonly memory: string;
  readonly backups: { readonly folder: string; readonly keep: number } | undefined;
}

export interface UnitFile {
  /** From the root. */
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  /** The operator edits it: it is written once. */
  readonly isSettings?: true;
}

const dataDir = '/var/lib/tollgate';
export const settingsPath = '/etc/tollgate/tollgate.env';

/** All files of the service, as their paths and texts. */
export function unitFiles(facts: UnitFacts): readonly UnitFile[] {
  const mode = 0o644;
  const { backups } = facts;
  return [
    { path: '/etc/sysusers.d/tollgate.conf', text: `u tollgate - "Tollgate" ${dataDir}\n`, mode },
    { path: settingsPath, text: settingsText, mode: 0o600, isSettings: true },
    { path: '/etc/systemd/system/tollgate.service', text: serviceUnit(facts), mode },
    ...(backups === undefined
      ? []
      : [
          { path: '/etc/systemd/system/tollgate-backup.service', text: backupUnit(facts, backups), mode },
          { path: '/etc/systemd/system/tollgate-backup.timer', text: backupTimer, mode },
        ]),
  ];
}

// PostgreSQL runs below the process: it alone gets the signal to stop, and stops PostgreSQL. V8 compiles while it runs, so
// memory may be both written and executed.
function serviceUnit({ node, program, port, memory }: UnitFacts): string {
  return `[Unit]
Description=Tollgate
Documentation=http://127.0.0.1:${port}/docs
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
ExecStart=${words([node, program, 'start'])}
Environment=HOST=127.0.0.1 PORT=${port} METRICS_PORT=${port + 1} DATA_DIR=${dataDir} TRUSTED_PROXIES=127.0.0.1
EnvironmentFile=${settingsPath}
Restart=always
RestartSec=5
TimeoutStartSec=15min
TimeoutStopSec=30
KillMode=mixed
MemoryMax=${memory}
LimitNOFILE=65536
${hardened}
[Install]
WantedBy=multi-user.target
`;
}

function backupUnit({ node, program }: UnitFacts, { folder, keep }: NonNullable<UnitFacts['backups']>): string {
  const command = [node, program, 'operator', 'backup', '--to', folder, '--keep', String(keep), '--verify'];
  return `[Unit]
Description=Verified backup of Tollgate
RequiresMountsFor=${word(folder)}

[Service]
Type=oneshot
ExecStart=${words([...command, '--data', dataDir])}
EnvironmentFile=${settingsPath}
ReadWritePaths=${word(folder)}
Nice=10
IOSchedulingClass=idle
TimeoutStartSec=12h
${hardened}`;
}

const backupTimer = `[Unit]
Description=Daily verified backup of Tollgate

[Timer]
OnCalendar=*-*-* 03:00:00 UTC
RandomizedDelaySec=20min
Persistent=true

[Install]
WantedBy=timers.target
`;

// Node copies a file with its owner, which is its own here; without @chown, systemd would kill each backup.
const hardened = `User=tollgate
Group=tollgate
StateDirectory=tollgate
StateDirectoryMode=0700
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallFilter=@chown
SystemCallErrorNumber=EPERM
`;

const settingsText = `# Settings of Tollgate, one NAME=value per line. Only root reads this file. After a change: systemctl restart tollgate
# All of them: docs/settings.md

# The address at which everybody reaches Tollgate:
#PUBLIC_URL=https://tollgate.example.com

# Your token for the operator's routes, at least 32 random characters, such as of \`openssl rand -base64 36\`:
#OPERATOR_TOKEN=

# Real money. Without these lines the sandbox is the processor, and no money moves:
#PROCESSOR=stripe
#STRIPE_SECRET_KEY=
#STRIPE_WEBHOOK_SECRET=
`;

function words(command: readonly string[]): string {
  return command.map(word).join(' ');
}

/** As systemd.syntax(7) reads it: quotes around blanks, and a percent sign and a dollar sign doubled. */
function word(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /[\s"'\\;]/.test(escaped) ? JSON.stringify(escaped) : escaped;
}

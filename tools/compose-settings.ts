export interface ComposedService {
  /** As docker-compose.yml names it. */
  readonly name: string;
  /** The names of all settings that it reads. */
  readonly settings: readonly string[];
}

const marker = '      # From the shell or `.env`; written by `pnpm settings`.\n';
const passedOn = /^(?: {6}[A-Z][A-Z\d_]*: \$\{[A-Z\d_]+:-\}\n)*/;
/** Listeners and brokers are those of the compose file's own network. */
const ownOfCompose = /^(?:HOST|PORT|METRICS_PORT|REDIS_URL|KAFKA_\w+)$/;

/**
 * The text of docker-compose.yml in which each service gets all of its settings from the environment. Settings that the
 * file sets itself stay as they are. An empty variable counts as absent. Throws for a service without its marker.
 */
export function withComposeSettings(compose: string, services: readonly ComposedService[]): string {
  const shared = namesIn(compose.slice(0, compose.indexOf('\nservices:')));
  return services.reduce((text, service) => withSettingsOf(text, service, shared), compose);
}

function withSettingsOf(compose: string, { name, settings }: ComposedService, shared: ReadonlySet<string>): string {
  const start = compose.indexOf(`\n  ${name}:\n`);
  const at = compose.indexOf(marker, start);
  if (start < 0 || at < 0) throw new Error(`docker-compose.yml lacks the marker in the environment of ${name}`);
  const own = namesIn(compose.slice(start, at));
  const names = settings.filter((setting) => !own.has(setting) && !shared.has(setting) && !ownOfCompose.test(setting));
  const lines = names.toSorted().map((setting) => `      ${setting}: \${${setting}:-}\n`);
  const rest = compose.slice(at + marker.length);
  return compose.slice(0, at) + marker + lines.join('') + rest.slice(passedOn.exec(rest)?.[0].length ?? 0);
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^ +([A-Z][A-Z\d_]*):/gm)].map(([, name = '']) => name));
}

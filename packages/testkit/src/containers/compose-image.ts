import { readFileSync } from 'node:fs';
import { repository } from '../faults/repository.ts';

/** The image of a service of docker-compose.yml: what the tests run in containers is what compose runs. */
export function composeImage(service: string): string {
  const compose = readFileSync(`${repository}docker-compose.yml`, 'utf8');
  const [, image] = new RegExp(`^  ${service}:\\n(?:    .*\\n)*?    image: (\\S+)$`, 'm').exec(compose) ?? [];
  if (image === undefined) throw new Error(`docker-compose.yml names no image of ${service}`);
  return image;
}

import { readFileSync } from 'node:fs';
import { repository } from '../faults/repository.ts';

/** Reads a service's image from docker-compose.yml, so that tests run the same image as compose. */
export function composeImage(service: string): string {
  const compose = readFileSync(`${repository}docker-compose.yml`, 'utf8');
  const [, image] = new RegExp(`^  ${service}:\\n(?:    .*\\n)*?    image: (\\S+)$`, 'm').exec(compose) ?? [];
  if (image === undefined) throw new Error(`docker-compose.yml names no image of ${service}`);
  return image;
}

import { z } from 'zod';
import { isSecretName } from './secret-name.ts';

/** The table of a service's settings in docs/settings.md. Throws for a setting without a description. */
export function createSettingsTable(schema: z.ZodObject): string {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const rows = Object.entries(described.properties ?? {}).map(([name, property]) => toRow(name, property));
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

type Property = NonNullable<z.core.JSONSchema.BaseSchema['properties']>[string];

function toRow(name: string, property: Property): string {
  const description = typeof property === 'object' ? property.description : undefined;
  if (description === undefined) throw new Error(`the setting ${name} has no description: add .describe()`);
  const byFile = isSecretName(name) ? ` (or \`${name}_FILE\`)` : '';
  return `| \`${name}\`${byFile} | ${defaultOf(property)} | ${escapeCell(description)} |`;
}

function defaultOf(property: Property): string {
  const value: unknown = typeof property === 'object' ? property.default : undefined;
  if (value === undefined) return '–';
  return `\`${escapeCell(typeof value === 'string' ? value : JSON.stringify(value))}\``;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

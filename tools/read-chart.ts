import { readdirSync, readFileSync } from 'node:fs';

const chart = new URL('../deploy/helm/tollgate/', import.meta.url);

export const chartSchemaFile = new URL('values.schema.json', chart);

/** The schema of the chart's values, and all of its templates as one text. */
export function readChart(): { readonly schema: string; readonly templates: string } {
  const folder = new URL('templates/', chart);
  const templates = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return { schema: readFileSync(chartSchemaFile, 'utf8'), templates: templates.join('\n') };
}

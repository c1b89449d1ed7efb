import type { Format } from '../arguments.ts';
import type { Report } from '../report.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { pretty, type PrettyOptions } from './pretty.ts';
import { sarif, type About } from './sarif.ts';

export interface Reporter {
  /** What its paths are relative to: where the reader stands, or the repository that a service shows. */
  readonly pathsFrom: 'cwd' | 'repository';
  render(report: Report, options: PrettyOptions & About): string;
}

export const reporters: Readonly<Record<Format, Reporter>> = {
  pretty: { pathsFrom: 'cwd', render: pretty },
  json: { pathsFrom: 'cwd', render: json },
  sarif: { pathsFrom: 'repository', render: sarif },
  github: { pathsFrom: 'repository', render: github },
  markdown: { pathsFrom: 'repository', render: markdown },
};

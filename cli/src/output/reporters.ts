import type { Format } from '../arguments.ts';
import type { PathsFrom } from '../paths.ts';
import type { Report } from '../report.ts';
import { agent } from './agent.ts';
import { compact } from './compact.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { pretty, type PrettyOptions } from './pretty.ts';
import { rdjson } from './rdjson.ts';
import { sarif, type About } from './sarif.ts';

export interface Reporter {
  readonly pathsFrom: PathsFrom;
  render(report: Report, options: PrettyOptions & About): string;
}

export const reporters: Readonly<Record<Format, Reporter>> = {
  pretty: { pathsFrom: 'cwd', render: pretty },
  compact: { pathsFrom: 'cwd', render: compact },
  agent: { pathsFrom: 'cwd', render: agent },
  json: { pathsFrom: 'cwd', render: json },
  sarif: { pathsFrom: 'repository', render: sarif },
  github: { pathsFrom: 'repository', render: github },
  gitlab: { pathsFrom: 'repository', render: gitlab },
  junit: { pathsFrom: 'repository', render: junit },
  rdjson: { pathsFrom: 'repository', render: rdjson },
  markdown: { pathsFrom: 'repository', render: markdown },
};

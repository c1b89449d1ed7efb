/** A program that runs an application which is not JavaScript in processes of its own, each with its own pools. */
export interface WorkerProgram {
  /** For messages. */
  readonly name: string;
  /** Where these facts can be checked. */
  readonly source: string;
  /** The programs that are it, or that start it; `python -m NAME` too. */
  readonly programs: readonly string[];
  /** The options with the number of processes. They hold above what a file says, and that above the variables. */
  readonly options: readonly string[];
  readonly variables: readonly string[];
  /** Without any; undefined: as many as the machine has CPUs. */
  readonly byDefault: number | undefined;
  /** A variable with more options. */
  readonly moreOptions?: string;
  /** Options that name a file with settings. */
  readonly configOptions?: readonly string[];
  /** The files of the application with settings that it reads by itself. */
  readonly configFiles?: readonly string[];
  /** A line of such a file that sets the number; the first group is the number. */
  readonly configLine?: RegExp;
  /** The same, when it is read from a variable: the first group is the variable, the second the number without it. */
  readonly configVariable?: RegExp;
  /** A file with this in it sets the number, if in a way that is not understood. */
  readonly mentions?: RegExp;
  /** With options like this, joined by spaces, it is one process. */
  readonly aloneWith?: RegExp;
}

const rubyVariable =
  /^(?:worker_processes|workers)[ \t(]+(?:Integer[ \t]?\(?[ \t]?)?ENV(?:\.fetch)?[ \t]?[[(][ \t]?["'](\w+)["'](?:[\])])?[ \t]?(?:,|\|\||\{)[ \t]?["']?(\d+)["']?[ \t]?[)}]{0,2}[ \t]*(?:\.to_i)?[ \t]*(?:#.*)?$/m;

export const workerPrograms: readonly WorkerProgram[] = [
  {
    name: 'Gunicorn',
    source: 'https://docs.gunicorn.org/en/stable/settings.html#workers',
    programs: ['gunicorn'],
    options: ['-w', '--workers'],
    variables: ['WEB_CONCURRENCY'],
    byDefault: 1,
    moreOptions: 'GUNICORN_CMD_ARGS',
    configOptions: ['-c', '--config'],
    configFiles: ['gunicorn.conf.py'],
    configLine: /^workers[ \t]*=[ \t]*(\d+)[ \t]*(?:#.*)?$/m,
    configVariable:
      /^workers[ \t]*=[ \t]*(?:int\()?os\.(?:environ\.get|getenv)\([ \t]?["'](\w+)["'],[ \t]?["']?(\d+)["']?[ \t]?\){1,2}[ \t]*(?:#.*)?$/m,
    mentions: /^[^#\n]*\bworkers\b/m,
  },
  {
    name: 'uvicorn',
    source: 'https://www.uvicorn.org/settings/#production',
    programs: ['uvicorn', 'fastapi'],
    options: ['--workers'],
    variables: ['UVICORN_WORKERS', 'WEB_CONCURRENCY'],
    byDefault: 1,
    aloneWith: /(^| )(--reload|dev)( |$)/,
  },
  {
    name: 'Hypercorn',
    source: 'https://hypercorn.readthedocs.io/en/latest/how_to_guides/configuring.html',
    programs: ['hypercorn'],
    options: ['-w', '--workers'],
    variables: [],
    byDefault: 1,
    configOptions: ['-c', '--config'],
    mentions: /\bworkers\b/,
  },
  {
    name: 'Puma',
    source: 'https://puma.io/puma/Puma/DSL.html#workers-instance_method',
    programs: ['puma'],
    options: ['-w', '--workers'],
    variables: ['WEB_CONCURRENCY'],
    byDefault: 1,
    configOptions: ['-C', '--config'],
    configFiles: ['config/puma.rb'],
    configLine: /^workers[ \t(]+(\d+)\)?[ \t]*(?:#.*)?$/m,
    configVariable: rubyVariable,
    mentions: /^[^#\n]*\bworkers\b/m,
  },
  {
    name: 'Unicorn',
    source: 'https://yhbt.net/unicorn/Unicorn/Configurator.html#method-i-worker_processes',
    programs: ['unicorn', 'unicorn_rails'],
    options: [],
    variables: [],
    byDefault: 1,
    configOptions: ['-c', '--config-file'],
    configLine: /^worker_processes[ \t(]+(\d+)\)?[ \t]*(?:#.*)?$/m,
    configVariable: rubyVariable,
    mentions: /^[^#\n]*\bworker_processes\b/m,
  },
  {
    name: 'uWSGI',
    source: 'https://uwsgi-docs.readthedocs.io/en/latest/Options.html#processes',
    programs: ['uwsgi'],
    options: ['-p', '--processes', '--workers'],
    variables: ['UWSGI_PROCESSES', 'UWSGI_WORKERS'],
    byDefault: 1,
    configOptions: ['--ini', '--yaml', '--xml', '--json'],
    configLine: /^(?:processes|workers)[ \t]*=[ \t]*(\d+)[ \t]*$/m,
    mentions: /^[ \t]*(processes|workers|cheaper)\b/m,
  },
  {
    name: 'Celery',
    source: 'https://docs.celeryq.dev/en/stable/userguide/workers.html#concurrency',
    programs: ['celery'],
    options: ['-c', '--concurrency'],
    variables: [],
    byDefault: undefined,
    aloneWith: /(^| )((-P|--pool)[ =]?(solo|threads|gevent|eventlet)|beat|flower)( |$)/,
  },
];

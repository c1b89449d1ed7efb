/** A program that serves HTTP for an application, and for how long it keeps an idle connection. */
export interface AppServer {
  /** For messages. */
  readonly name: string;
  /** Where these facts can be checked. */
  readonly source: string;
  /** The programs that are it, or that start it; `python -m NAME` too. */
  readonly programs: readonly string[];
  /** What sets the time, for messages. */
  readonly setting: string;
  /** The options with the time; the first one that is given holds. What is written is a number of seconds, or as `unit` says. */
  readonly options: readonly string[];
  /** The variables with the time. */
  readonly variables: readonly string[];
  /** How times are written: Spring takes `20s`, and milliseconds where there is no unit. */
  readonly unit: 's' | 'ms' | 'duration';
  /** Seconds unless it is told; from and to where that depends on the version. Absent: only what is written tells that it is this server. */
  readonly byDefault?: readonly [low: number, high: number];
  /** A variable with more options. */
  readonly moreOptions?: string;
  /** Options that name a file with settings. */
  readonly configOptions?: readonly string[];
  /** The files of the application with settings that it reads by itself. */
  readonly configFiles?: readonly string[];
  /** A line of such a file that sets the time; the first group is the number. */
  readonly configLine?: RegExp;
  /** It keeps connections only when its options, joined by spaces, are like this. */
  readonly keepsOnlyWith?: RegExp;
  /** It is this server only in an image into which something with such a path is copied. */
  readonly copiedFrom?: RegExp;
}

export const appServers: readonly AppServer[] = [
  {
    name: 'Gunicorn',
    source: 'https://docs.gunicorn.org/en/stable/settings.html#keepalive',
    programs: ['gunicorn'],
    setting: '--keep-alive',
    options: ['--keep-alive'],
    variables: [],
    unit: 's',
    byDefault: [2, 2],
    moreOptions: 'GUNICORN_CMD_ARGS',
    configOptions: ['-c', '--config'],
    configFiles: ['gunicorn.conf.py'],
    configLine: /^keepalive[ \t]*=[ \t]*(\d+)[ \t]*(?:#.*)?$/m,
    // Workers of the class `sync`, which has no threads, close each connection.
    keepsOnlyWith: /(^| )((-k|--worker-class)[ =]?(?!sync\b)[^ =]|--threads[ =](?!1\b)\d)/,
  },
  {
    name: 'uvicorn',
    source: 'https://www.uvicorn.org/settings/#timeouts',
    programs: ['uvicorn'],
    setting: '--timeout-keep-alive',
    options: ['--timeout-keep-alive'],
    variables: ['UVICORN_TIMEOUT_KEEP_ALIVE'],
    unit: 's',
    byDefault: [5, 5],
  },
  {
    name: 'Hypercorn',
    source: 'https://hypercorn.readthedocs.io/en/latest/how_to_guides/configuring.html',
    programs: ['hypercorn'],
    setting: '--keep-alive',
    options: ['--keep-alive'],
    variables: [],
    unit: 's',
    byDefault: [5, 5],
    configOptions: ['-c', '--config'],
  },
  {
    name: 'Puma',
    source: 'https://puma.io/puma/Puma/DSL.html#persistent_timeout-instance_method',
    programs: ['puma'],
    setting: 'persistent_timeout',
    options: [],
    variables: ['PUMA_PERSISTENT_TIMEOUT'],
    unit: 's',
    // 20 s before version 7.
    byDefault: [20, 65],
    configOptions: ['-C', '--config'],
    configFiles: ['config/puma.rb'],
    configLine: /^[ \t]*persistent_timeout[ (]+(\d+)\)?[ \t]*(?:#.*)?$/m,
  },
  {
    name: 'Tomcat',
    source:
      'https://docs.spring.io/spring-boot/appendix/application-properties/index.html#application-properties.server.server.tomcat.keep-alive-timeout',
    programs: ['java'],
    setting: 'server.tomcat.keep-alive-timeout',
    options: ['server.tomcat.keep-alive-timeout', 'server.tomcat.connection-timeout'],
    variables: [
      'SERVER_TOMCAT_KEEP_ALIVE_TIMEOUT',
      'SERVER_TOMCAT_KEEPALIVETIMEOUT',
      'SERVER_TOMCAT_CONNECTION_TIMEOUT',
      'SERVER_TOMCAT_CONNECTIONTIMEOUT',
    ],
    unit: 'duration',
  },
  {
    name: 'Next.js',
    source: 'https://nextjs.org/docs/app/api-reference/cli/next#next-start-options',
    programs: ['next'],
    setting: '--keepAliveTimeout',
    options: ['--keepAliveTimeout'],
    variables: [],
    unit: 'ms',
    byDefault: [5, 5],
    keepsOnlyWith: /^start\b/,
  },
  {
    name: 'Next.js',
    source: 'https://nextjs.org/docs/app/api-reference/config/next-config-js/output',
    programs: ['node'],
    setting: 'KEEP_ALIVE_TIMEOUT',
    options: [],
    variables: ['KEEP_ALIVE_TIMEOUT'],
    unit: 'ms',
    byDefault: [5, 5],
    keepsOnlyWith: /(^|\/)server\.js$/,
    copiedFrom: /(^|\/)\.next\/standalone(\/|$)/,
  },
];

/** The programs that run another one of Ruby's or Python's. */
export const languageRunners = { bundle: 'exec', poetry: 'run', pipenv: 'run', uv: 'run', rye: 'run', pdm: 'run' } as const;

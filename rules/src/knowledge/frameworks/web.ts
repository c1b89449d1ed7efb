import type { FileConvention, Framework } from '../framework.ts';
import { each } from '../facts.ts';

export const next: Framework = {
  name: 'Next.js',
  source: 'https://nextjs.org/docs/pages/building-your-application/routing/api-routes',
  event: 'request',
  packages: {
    next: {
      ...each(':NextApiRequest :NextApiResponse :GetServerSidePropsContext', 'given'),
      ...each(':NextApiHandler :GetServerSideProps', 'handler'),
    },
    'next/server': { ':NextRequest': 'given' },
  },
};

/** What `cache(f)` remembers of a server component is forgotten with each request. */
export const react: Framework = {
  name: 'React',
  source: 'https://react.dev/reference/react/cache#caveats',
  event: 'request',
  packages: { react: { cache: {} } },
};

export const remix: Framework = {
  name: 'Remix',
  source: 'https://remix.run/docs/en/main/route/loader',
  event: 'request',
  packages: {
    ...each('@remix-run/node @remix-run/server-runtime', {
      ...each(':LoaderFunctionArgs :ActionFunctionArgs :LoaderArgs :ActionArgs', 'given'),
      ...each(':LoaderFunction :ActionFunction', 'handler'),
    } as const),
  },
};

export const svelteKit: Framework = {
  name: 'SvelteKit',
  source: 'https://svelte.dev/docs/kit/routing',
  event: 'request',
  packages: { '@sveltejs/kit': { ':RequestEvent': 'given', ...each(':RequestHandler :Handle', 'handler') } },
};

export const astro: Framework = {
  name: 'Astro',
  source: 'https://docs.astro.build/en/guides/endpoints/',
  event: 'request',
  packages: { astro: { ':APIContext': 'given', ':APIRoute': 'handler' } },
};

const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Files whose exports a framework calls for each request. */
export const webConventions: readonly FileConvention[] = [
  {
    name: 'Next.js',
    source: 'https://nextjs.org/docs/app/api-reference/file-conventions/route',
    event: 'request',
    dependencies: ['next'],
    files: /(^|\/)app\/(.*\/)?route\.[jt]sx?$/,
    exports: httpMethods,
  },
  {
    name: 'Next.js',
    source: 'https://nextjs.org/docs/app/api-reference/file-conventions/page',
    event: 'request',
    dependencies: ['next'],
    files: /(^|\/)app\/(.*\/)?(page|layout|template)\.[jt]sx?$/,
    exports: ['default', 'generateMetadata'],
  },
  {
    name: 'Next.js',
    source: 'https://nextjs.org/docs/pages/building-your-application/routing/api-routes',
    event: 'request',
    dependencies: ['next'],
    files: /(^|\/)pages\/api\/.*\.[jt]sx?$/,
    exports: ['default'],
  },
  {
    name: 'Next.js',
    source: 'https://nextjs.org/docs/pages/building-your-application/data-fetching/get-server-side-props',
    event: 'request',
    dependencies: ['next'],
    files: /(^|\/)pages\/.*\.[jt]sx?$/,
    exports: ['getServerSideProps'],
  },
  {
    name: 'Remix',
    source: 'https://reactrouter.com/start/framework/data-loading',
    event: 'request',
    dependencies: ['@remix-run/node', '@remix-run/serve', '@react-router/node', '@react-router/serve'],
    files: /(^|\/)app\/routes\/.*\.[jt]sx?$/,
    exports: ['loader', 'action'],
  },
  {
    name: 'SvelteKit',
    source: 'https://svelte.dev/docs/kit/routing',
    event: 'request',
    dependencies: ['@sveltejs/kit'],
    files: /(^|\/)routes\/(.*\/)?\+(server|(page|layout)\.server)\.[jt]s$/,
    exports: [...httpMethods, 'load', 'actions.*'],
  },
  {
    name: 'SvelteKit',
    source: 'https://svelte.dev/docs/kit/hooks',
    event: 'request',
    dependencies: ['@sveltejs/kit'],
    files: /(^|\/)src\/hooks\.server\.[jt]s$/,
    exports: ['handle'],
  },
  {
    name: 'Nuxt',
    source: 'https://nuxt.com/docs/guide/directory-structure/server',
    event: 'request',
    dependencies: ['nuxt', 'nitropack', 'nitro'],
    files: /(^|\/)server\/(api|routes|middleware)\/.*\.[jt]s$/,
    exports: ['default'],
  },
  {
    name: 'Astro',
    source: 'https://docs.astro.build/en/guides/endpoints/',
    event: 'request',
    dependencies: ['astro'],
    files: /(^|\/)pages\/.*\.[jt]s$/,
    exports: [...httpMethods, 'ALL'],
  },
];

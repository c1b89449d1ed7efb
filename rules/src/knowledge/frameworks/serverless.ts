import type { Framework, Takes } from '../framework.ts';
import { each } from '../facts.ts';

const functions: Takes = {};

export const lambda: Framework = {
  name: 'AWS Lambda',
  source: 'https://docs.aws.amazon.com/lambda/latest/dg/typescript-handler.html',
  event: 'invocation',
  packages: {
    'aws-lambda': { ...each(':*Handler :*HandlerV2', 'handler'), ...each(':*Event :*EventV2 :Context', 'given') },
    '@middy/core': { '': functions, '()': 'host', ':MiddyfiedHandler': 'handler' },
  },
  methods: { handler: functions },
  chains: ['use()', 'before()', 'after()', 'onError()'],
};

export const vercel: Framework = {
  name: 'Vercel',
  source: 'https://vercel.com/docs/functions/runtimes/node-js',
  event: 'request',
  packages: { '@vercel/node': { ...each(':VercelRequest :VercelResponse', 'given'), ':VercelApiHandler': 'handler' } },
};

export const netlify: Framework = {
  name: 'Netlify',
  source: 'https://docs.netlify.com/functions/get-started/',
  event: 'request',
  packages: { '@netlify/functions': { ...each(':HandlerEvent :HandlerContext :Context', 'given'), ':Handler': 'handler' } },
};

const triggers = 'onRequest onCall onCreate onUpdate onDelete onWrite onRun onPublish onFinalize';

export const firebase: Framework = {
  name: 'Firebase',
  source: 'https://firebase.google.com/docs/functions',
  event: 'invocation',
  packages: {
    'firebase-functions': {
      ...each('https.onRequest https.onCall', functions),
      ...each('region() runWith() firestore.document() pubsub.topic() pubsub.schedule() auth.user() storage.object()', 'host'),
    },
    ...each('firebase-functions/https firebase-functions/v2/https', each('onRequest onCall', functions)),
    'firebase-functions/v2/firestore': each('onDocumentCreated onDocumentUpdated onDocumentDeleted onDocumentWritten', functions),
    'firebase-functions/v2/pubsub': { onMessagePublished: functions },
  },
  methods: each(triggers, functions),
  chains: ['https', 'timeZone()'],
};

export const googleFunctions: Framework = {
  name: 'Google Cloud Functions',
  source: 'https://github.com/GoogleCloudPlatform/functions-framework-nodejs',
  event: 'request',
  packages: { '@google-cloud/functions-framework': { ...each('http cloudEvent', functions), ':HttpFunction': 'handler' } },
};

const azureTriggers =
  'http get post put patch deleteRequest timer serviceBusQueue serviceBusTopic storageQueue storageBlob eventHub eventGrid cosmosDB';

export const azureFunctions: Framework = {
  name: 'Azure Functions',
  source: 'https://learn.microsoft.com/azure/azure-functions/functions-reference-node',
  event: 'invocation',
  packages: {
    '@azure/functions': {
      ...each(
        azureTriggers
          .split(' ')
          .map((name) => `app.${name}`)
          .join(' '),
        { in: ['handler'] },
      ),
      ...each(':HttpRequest :InvocationContext', 'given'),
      ...each(':HttpHandler :AzureFunction', 'handler'),
    },
  },
};

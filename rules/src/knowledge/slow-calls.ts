/**
 * Calls whose answer comes from somebody else than the database, or that only wait: they take milliseconds at best, seconds on a
 * bad day. Keyed by what a package exports and the way from there to the method.
 */
export interface SlowApi {
  /** What is waited for, for messages. */
  readonly waitsFor: string;
  /** Where these facts can be checked. */
  readonly source: string;
  /** The methods by package, `()` for calling the export itself; a package that ends in `*` stands for all that begin so. */
  readonly packages: Readonly<Record<string, string>>;
}

/** What a timer is waited for. */
export const pause = 'a pause';

const verbs = 'get post put patch delete head options request';

export const slowApis: readonly SlowApi[] = [
  {
    waitsFor: 'another service to answer',
    source: 'https://axios-http.com/docs/api_intro',
    packages: { axios: `() ${verbs} postForm putForm patchForm`, '@nestjs/axios': verbs },
  },
  {
    waitsFor: 'another service to answer',
    source: 'https://undici.nodejs.org/#/',
    packages: {
      undici: 'fetch request stream pipeline connect upgrade',
      'node-fetch': '() fetch default',
      'cross-fetch': '() fetch',
      'isomorphic-fetch': '() fetch',
      'fetch-retry': '() fetch',
    },
  },
  {
    waitsFor: 'another service to answer',
    source: 'https://github.com/sindresorhus/got#documentation',
    packages: {
      got: `() ${verbs} paginate`,
      ky: `() ${verbs}`,
      ofetch: '() ofetch $fetch raw',
      needle: `() ${verbs}`,
      superagent: `() ${verbs} del`,
      request: `() ${verbs}`,
      'request-promise': `() ${verbs}`,
      'request-promise-native': `() ${verbs}`,
      wreck: `${verbs} read`,
      '@hapi/wreck': `${verbs} read`,
    },
  },
  {
    waitsFor: 'another service to answer',
    source: 'https://nodejs.org/api/http.html#httprequestoptions-callback',
    packages: { http: 'request get', https: 'request get' },
  },
  {
    waitsFor: 'the payment provider',
    source: 'https://docs.stripe.com/api',
    packages: {
      stripe:
        'create retrieve update del cancel confirm capture list search finalizeInvoice pay voidInvoice sendInvoice attach detach ' +
        'expire listLineItems createReversal createRefund refund close createPreview retrieveUpcoming upcoming deleteDiscount ' +
        'createSource deleteSource verifySource createBalanceTransaction verifyMicrodeposits resume autoPagingToArray',
      '@paypal/checkout-server-sdk': 'execute',
      razorpay: 'create fetch all edit capture refund cancel',
      '@mollie/api-client': 'create get update cancel',
    },
  },
  {
    waitsFor: 'a mail server or mail service',
    source: 'https://nodemailer.com/usage/#sending-mail',
    packages: {
      nodemailer: 'sendMail verify',
      '@sendgrid/mail': 'send sendMultiple',
      resend: 'send create',
      'mailgun.js': 'create',
      postmark: 'sendEmail sendEmailBatch sendEmailWithTemplate sendEmailBatchWithTemplates',
      mailersend: 'send sendBulk',
      '@nestjs-modules/mailer': 'sendMail',
      'node-mailjet': 'request',
    },
  },
  {
    waitsFor: 'another service to answer',
    source: 'https://www.twilio.com/docs/libraries/reference/twilio-node',
    packages: {
      twilio: 'create fetch update remove list',
      '@slack/web-api':
        'apiCall postMessage postEphemeral update delete list info history open join invite create upload uploadV2 replies add remove ' +
        'lookupByEmail publish send test members',
      '@slack/webhook': 'send',
      'firebase-admin':
        'send sendEach sendEachForMulticast sendMulticast sendToDevice subscribeToTopic verifySessionCookie createUser getUser ' +
        'getUserByEmail updateUser deleteUser setCustomUserClaims',
      'firebase-admin/auth': 'createUser getUser getUserByEmail updateUser deleteUser setCustomUserClaims',
      'firebase-admin/messaging': 'send sendEach sendEachForMulticast sendMulticast subscribeToTopic',
      'web-push': 'sendNotification',
      'expo-server-sdk': 'sendPushNotificationsAsync getPushNotificationReceiptsAsync',
      '@octokit/rest': 'request graphql get create update list paginate',
      googleapis: 'get list insert create update patch delete send query getToken',
    },
  },
  {
    waitsFor: 'a model to answer',
    source: 'https://github.com/openai/openai-node#usage',
    packages: {
      openai: 'create parse retrieve list stream generate edit createVariation upload finalChatCompletion',
      '@anthropic-ai/sdk': 'create parse stream retrieve list countTokens finalMessage',
      '@google/generative-ai': 'generateContent generateContentStream sendMessage sendMessageStream embedContent countTokens',
      '@google/genai': 'generateContent generateContentStream sendMessage embedContent countTokens generateImages',
      ai: 'generateText generateObject embed embedMany generateImage transcribe',
      '@mistralai/mistralai': 'complete stream create',
      'cohere-ai': 'chat embed rerank generate',
      'groq-sdk': 'create',
    },
  },
  {
    waitsFor: 'AWS to answer',
    source: 'https://docs.aws.amazon.com/AWSJavaScriptSDK/v3/latest/',
    packages: {
      '@aws-sdk/client-*': 'send',
      '@aws-sdk/lib-dynamodb': 'send',
      '@aws-sdk/lib-storage': 'done',
      'aws-sdk': 'promise',
      'aws-sdk/*': 'promise',
    },
  },
  {
    waitsFor: 'the cloud to answer',
    source: 'https://cloud.google.com/nodejs/docs/reference',
    packages: {
      '@google-cloud/storage':
        'save download upload delete exists get getFiles getMetadata setMetadata copy move makePublic makePrivate createResumableUpload',
      '@google-cloud/pubsub': 'publish publishMessage publishJSON createSubscription createTopic exists get',
      '@google-cloud/tasks': 'createTask deleteTask getTask listTasks',
      '@google-cloud/secret-manager': 'accessSecretVersion addSecretVersion createSecret',
      '@google-cloud/bigquery': 'query insert createQueryJob getQueryResults',
      '@google-cloud/translate': 'translate translateText detect',
      '@azure/storage-blob':
        'upload uploadData uploadFile uploadStream download downloadToBuffer delete deleteIfExists exists getProperties createIfNotExists',
      '@azure/service-bus': 'sendMessages scheduleMessages receiveMessages',
      '@azure/storage-queue': 'sendMessage receiveMessages deleteMessage',
      '@azure/event-hubs': 'sendBatch',
      '@supabase/supabase-js': 'upload download remove invoke',
      cloudinary: 'upload destroy upload_large explicit',
      minio: 'putObject getObject fPutObject fGetObject removeObject statObject bucketExists makeBucket copyObject',
    },
  },
  {
    waitsFor: 'a message broker',
    source: 'https://docs.bullmq.io/guide/queues/adding-jobs',
    packages: {
      bullmq: 'add addBulk waitUntilFinished',
      bull: 'add addBulk finished',
      'bee-queue': 'save',
      kafkajs: 'send sendBatch',
      '@nestjs/bullmq': 'add addBulk',
      '@nestjs/bull': 'add addBulk',
      amqplib: 'connect createChannel createConfirmChannel waitForConfirms assertQueue assertExchange checkQueue',
      'amqp-connection-manager': 'publish sendToQueue waitForConnect',
      nats: 'request publish',
      mqtt: 'publishAsync subscribeAsync',
    },
  },
  {
    waitsFor: 'a process to end',
    source: 'https://nodejs.org/api/child_process.html',
    packages: {
      child_process: 'exec execFile spawn fork',
      execa: '() execa execaCommand execaNode $ command',
      zx: '$',
      puppeteer: 'launch goto newPage pdf screenshot setContent waitForSelector waitForNavigation',
      playwright: 'launch goto newPage newContext pdf screenshot setContent waitForSelector',
      ssh2: 'connect exec',
    },
  },
  {
    waitsFor: pause,
    source: 'https://nodejs.org/api/timers.html#timers-promises-api',
    packages: { 'timers/promises': 'setTimeout wait', delay: '() delay', 'sleep-promise': '()' },
  },
];

const methodsOf = new Map(
  slowApis.flatMap(({ packages, waitsFor }) =>
    Object.entries(packages).map(([name, methods]) => [name, { waitsFor, methods: new Set(methods.split(' ')) }] as const),
  ),
);

const families = [...methodsOf.keys()].filter((name) => name.endsWith('*'));

/** What a method of a package waits for, if that takes long. */
export function methodWaitsFor(specifier: string, method: string): string | undefined {
  const family = families.find((each) => specifier.startsWith(each.slice(0, -1)));
  const known = methodsOf.get(specifier) ?? methodsOf.get(family ?? '');
  return known?.methods.has(method === '' ? '()' : method) ? known.waitsFor : undefined;
}

/** What a global function waits for, if that takes long. */
export function globalWaitsFor(name: string): string | undefined {
  return name === 'fetch' ? 'another service to answer' : undefined;
}

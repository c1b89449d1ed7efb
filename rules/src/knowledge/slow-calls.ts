/** Packages whose awaited calls are answered by another service, or only wait, and the prefixes of families of them. */
const packages: ReadonlySet<string> = new Set(
  (
    'axios got ky needle node-fetch request superagent undici timers/promises ' +
    'stripe twilio openai @anthropic-ai/sdk @sendgrid/mail nodemailer resend mailgun.js postmark firebase-admin kafkajs amqplib'
  ).split(' '),
);
const families = ['@aws-sdk/client-', '@google-cloud/', '@azure/'];

/** Globals that do so too. */
const globals: ReadonlySet<string> = new Set(['fetch']);

/** Whether a package's awaited calls are answered by somebody else than the database, or only wait. */
export function isSlowPackage(specifier: string): boolean {
  const name = specifier.replace(/^node:/, '');
  return packages.has(name) || families.some((family) => name.startsWith(family));
}

/** Whether a global function is answered by another service. */
export function isSlowGlobal(name: string): boolean {
  return globals.has(name);
}

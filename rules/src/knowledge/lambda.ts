/** Seconds. https://docs.aws.amazon.com/lambda/latest/dg/configuration-timeout.html, https://www.serverless.com/framework/docs/providers/aws/guide/functions */
export const functionTimeout = { aws: 3, serverless: 6 } as const;

/** Seconds; a quota that can be raised for REST APIs of a region. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const gatewayTimeout = { rest: 29, http: 30 } as const;

/** Seconds. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html */
export const queueVisibility = 30;

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
export const visibilityFactor = 6;

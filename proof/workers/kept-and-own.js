import postgres from 'postgres';

/** Whether a query settles within two seconds. */
async function one(sql) {
  const impatience = new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), 2_000));
  await Promise.race([sql`SELECT 1`, impatience]);
}

let kept;

export default {
  async fetch(request, { DATABASE_URL }) {
    try {
      if (new URL(request.url).pathname === '/kept') {
        kept ??= postgres(DATABASE_URL, { max: 1 });
        await one(kept);
      } else {
        const own = postgres(DATABASE_URL, { max: 1 });
        await one(own);
        await own.end();
      }
      return new Response('fine');
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};

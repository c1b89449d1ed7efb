const time = /^ *(?:(\d+)w *)?(?:(\d+)d *)?(?:(\d+)h *)?(?:(\d+)m *)?(?:(\d+)s *)?(?:(\d+)ms *)?(\d+)?$/;

/** Milliseconds per unit, in the order of the groups above; a number without a unit counts seconds. */
const units: readonly number[] = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000, 1, 1_000];

/** The milliseconds of a time as the `*_timeout` directives read it: `60`, `60s`, `1m30s`, `500ms`; undefined when nginx refuses it. */
export function parseTime(written: string): number | undefined {
  const parts: readonly (string | undefined)[] | undefined = time.exec(written)?.slice(1);
  if (!parts?.some((part) => part !== undefined)) return undefined;
  return parts.reduce((sum, part, i) => sum + Number(part ?? 0) * (units[i] ?? 0), 0);
}

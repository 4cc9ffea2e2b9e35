const ATTRIBUTE =
  /(?:href|src|srcset|action|formaction|background|poster|data|cite|xlink:href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
const CSS_URL = /url\(\s*["']?([^"')]+)/gi;
const MAX_TARGETS = 200;

/**
 * Every address that a piece of HTML names, once each, as it is written. A reading aid: the source below it is what
 * counts, so a miss hides nothing.
 */
export function htmlTargets(html: string): string[] {
  const found = new Set<string>();
  for (const pattern of [ATTRIBUTE, CSS_URL]) {
    for (const match of html.matchAll(pattern)) {
      const target = match[1] ?? match[2] ?? match[3];
      if (target) found.add(target);
      if (found.size >= MAX_TARGETS) return [...found];
    }
  }
  return [...found];
}

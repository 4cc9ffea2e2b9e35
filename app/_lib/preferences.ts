export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export type Preferences = { theme: Theme; keys: boolean };

type CookieReader = { get(name: string): { value: string } | undefined };

/** What this browser asked for, from cookies, so that the first paint is right without a script. */
export function readPreferences(cookies: CookieReader): Preferences {
  const theme = cookies.get("theme")?.value;
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    keys: cookies.get("keys")?.value !== "off",
  };
}

"use client";

import { useRouter } from "next/navigation";
import { type Preferences, THEMES, type Theme } from "@/app/_lib/preferences";

const ONE_YEAR_S = 31_536_000;

/** Settings of this browser, in cookies, so that the server's first paint is already right. */
export function PreferencesForm({ preferences }: { preferences: Preferences }) {
  const router = useRouter();
  const keep = (name: string, value: string) => {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers we support.
    document.cookie = `${name}=${value}; Path=/; Max-Age=${value === "" ? 0 : ONE_YEAR_S}; SameSite=Lax${secure}`;
  };
  const setTheme = (theme: Theme) => {
    keep("theme", theme === "system" ? "" : theme);
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    router.refresh();
  };
  const setKeys = (isOn: boolean) => {
    keep("keys", isOn ? "" : "off");
    router.refresh();
  };
  return (
    <div className="grid gap-4">
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-semibold">Colours</legend>
        {THEMES.map((theme) => (
          <label key={theme} className="flex min-h-8 items-center gap-2 coarse:min-h-11">
            <input
              type="radio"
              name="theme"
              className="size-4 accent-ink"
              defaultChecked={preferences.theme === theme}
              onChange={() => setTheme(theme)}
            />
            {theme === "system" ? "as the system has them" : theme}
          </label>
        ))}
      </fieldset>
      <label className="flex min-h-8 items-center gap-2 coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4 accent-ink"
          defaultChecked={preferences.keys}
          onChange={(event) => setKeys(event.currentTarget.checked)}
        />
        Single keys such as j, k, a and r. ? lists them.
      </label>
    </div>
  );
}

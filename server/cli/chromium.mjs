import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const FONT = "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf";

const find = () => PLACES.find((path) => existsSync(path));

const aptGet = (...args) =>
  spawnSync("apt-get", args, {
    stdio: "inherit",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  }).status === 0;

/** Whether there is a Chromium for the end-to-end tests; as root on Debian it is installed. */
export function ensureChromium() {
  const isDebian = existsSync("/etc/debian_version");
  if (find() && (existsSync(FONT) || !isDebian)) return true;
  if (isDebian && process.getuid?.() === 0) {
    process.stdout.write("Installing Chromium for the end-to-end tests…\n");
    aptGet("update", "-qq");
    aptGet("install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-noto-core");
  }
  return find() !== undefined;
}

import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  typedRoutes: true,
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  // What a first start would wait for in vain: a cache for the next build, and small files that nobody downloads.
  experimental: { turbopackFileSystemCacheForBuild: false, serverMinification: false },
  // `npm test` checks types and fails on errors; a second check here would only slow the first start down.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["@node-rs/argon2", "@prisma/client", "@prisma/adapter-pg", "pg", "inngest", "nodemailer"],
};
export default config;

import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  typedRoutes: true,
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  // A cache that the next build could use: a first start has to wait for its writing, and few installations build twice.
  experimental: { turbopackFileSystemCacheForBuild: false },
  // `npm test` checks types and fails on errors; a second check here would only slow the first start down.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["@node-rs/argon2", "@prisma/client", "@prisma/adapter-pg", "pg", "inngest", "nodemailer"],
};
export default config;

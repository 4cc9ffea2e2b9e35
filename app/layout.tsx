import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { TRUSTED_TYPES_SCRIPT } from "@/app/_lib/content-security-policy";
import { readPreferences } from "@/app/_lib/preferences";
import { NonceProvider } from "@/app/_ui/nonce";
import "./globals.css";

// A typeface in which look-alikes such as capital I and small l differ.
const interfaceFont = localFont({
  src: "../node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2",
  weight: "200 800",
  variable: "--font-interface",
  adjustFontFallback: "Arial",
});

const exactFont = localFont({
  src: "../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  weight: "100 800",
  variable: "--font-exact",
  adjustFontFallback: false,
});

export const metadata: Metadata = {
  title: { default: "Countersign", template: "%s · Countersign" },
  description: "Agents ask, people countersign.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8f7f5" },
    { media: "(prefers-color-scheme: dark)", color: "#0f1115" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  const { theme } = readPreferences(await cookies());
  return (
    <html
      lang="en"
      className={`${interfaceFont.variable} ${exactFont.variable}`}
      data-theme={theme === "system" ? undefined : theme}
      suppressHydrationWarning
    >
      <head>
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; it must run before any other script.
          dangerouslySetInnerHTML={{ __html: TRUSTED_TYPES_SCRIPT }}
        />
      </head>
      <body>
        <NonceProvider nonce={nonce}>{children}</NonceProvider>
      </body>
    </html>
  );
}

import { z } from "zod";
import { parsePlainUrl } from "@/server/domain/plain-url";

const originSchema = z
  .string()
  .max(300)
  .refine((text) => {
    const read = parsePlainUrl(text);
    return read.ok && read.url.path === "/" && !/[?]/.test(text) && !/[^/]\/$/.test(text);
  }, "must be an origin such as https://api.example.com");

/** An HTTP connection: the origins that get its credential. Which hosts may be called is for grants to say. */
export const httpConfigSchema = z.strictObject({ origins: z.array(originSchema).max(20).default([]) });
export type HttpConfig = z.infer<typeof httpConfigSchema>;

export const originOf = (href: string): string => new URL(href).origin;

export const isCredentialed = (config: HttpConfig, href: string): boolean =>
  config.origins.some((origin) => originOf(origin) === originOf(href));

import { z } from "zod";
import { mailAddressSchema } from "@/server/domain/mail-address";
import { hostPatternSchema } from "@/server/domain/plain-url";

/** An SMTP connection. `none` sends in the clear and works only with a host that the operator named. */
export const smtpConfigSchema = z.strictObject({
  host: hostPatternSchema.refine((text) => !text.startsWith("*"), "must be one host"),
  port: z.int().min(1).max(65_535),
  tls: z.enum(["starttls", "implicit", "none"]).default("starttls"),
  from: mailAddressSchema,
});
export type SmtpConfig = z.infer<typeof smtpConfigSchema>;

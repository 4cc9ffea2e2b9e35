import { z } from "zod";
import { mailAddressSchema } from "@/server/domain/mail-address";
import { oneLineText } from "@/server/domain/text";

const MIN_LENGTH = 12;
const MAX_LENGTH = 200;
const MIN_DISTINCT = 5;
const MAX_EMAIL = 320;

/** The same password however it is typed: composed and decomposed accents are one. */
const normalized = z
  .string()
  .max(MAX_LENGTH)
  .transform((text) => text.normalize("NFKC"));

/** A password as somebody presents it. Only bounded: whether it is right is for the hash to say. */
export const presentedPasswordSchema = normalized;

/** A password that somebody chooses. Length is what counts; no rule about kinds of characters. */
export const newPasswordSchema = normalized.refine(
  (text) => text.length >= MIN_LENGTH && new Set(text).size >= MIN_DISTINCT && !isCommon(text),
  `must have at least ${MIN_LENGTH} characters, ${MIN_DISTINCT} of them different, and must not be a common one`,
);

/** An e-mail address as the key of a person. Normalised first and checked after: the order matters. */
export const emailSchema = z
  .string()
  .max(MAX_EMAIL)
  .transform((text) => text.normalize("NFKC").trim().toLowerCase())
  .pipe(mailAddressSchema);

export const personNameSchema = oneLineText(100);

// What is long enough and still among the first things anybody tries.
const COMMON = ["password", "passwort", "qwertyuiop", "administrator", "letmein", "iloveyou", "welcome", "countersign"];

function isCommon(text: string): boolean {
  const letters = text.toLowerCase().replace(/[^a-z]/g, "");
  const isSequence = "01234567890123456789".includes(text) || "abcdefghijklmnopqrstuvwxyz".includes(text.toLowerCase());
  return isSequence || COMMON.some((word) => letters === word || letters === word + word);
}

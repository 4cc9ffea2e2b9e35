import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** DER, as far as one certificate needs it. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const octets = (...parts: readonly Buffer[]) => der(0x04, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const BASIC_CONSTRAINTS = oid("551d13");
const SUBJECT_ALT_NAME = oid("551d11");
const TRUE = der(0x01, Buffer.from([0xff]));
const VERSION_3 = der(0xa0, der(0x02, Buffer.from([2])));

const utcTime = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`, "ascii"));

const name = (text: string) => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text, "utf8")))));

const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64").replaceAll(/.{1,64}/g, "$&\n")}-----END ${label}-----\n`;

const YEARS_MS = 10 * 365 * 86_400_000;

/** A key and a certificate for `localhost` and 127.0.0.1 that vouches for itself and can sign no other. PEM. */
export function makeLocalCertificate(now = new Date()): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)]);
  const names = sequence(der(0x82, Buffer.from("localhost", "ascii")), der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence())),
    sequence(SUBJECT_ALT_NAME, octets(names)),
  );
  const signed = sequence(
    VERSION_3,
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    name("Countersign demo"),
    sequence(utcTime(new Date(now.getTime() - 60_000)), utcTime(new Date(now.getTime() + YEARS_MS))),
    name("Countersign demo"),
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", signed, privateKey));
  return {
    key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    cert: pem("CERTIFICATE", sequence(signed, ECDSA_WITH_SHA256, signature)),
  };
}

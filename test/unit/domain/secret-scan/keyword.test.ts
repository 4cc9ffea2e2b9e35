import { describe, expect, test } from "vitest";
import { detect } from "@/server/domain/secret-scan/detect";
import { kindOfField } from "@/server/domain/secret-scan/keyword";

const kindIn = (text: string) => detect(text).kind;

describe("a credential beside a word that names it", () => {
  test.each([
    ["password", "password=hunter2"],
    ["password", "DB_PASSWORD: S3cr3t!pass"],
    ["password", "The password is Welcome123."],
    ["password", "Password: Hunter2!"],
    ["password", '{"password":"correcthorse"}'],
    ["password", '{\\"password\\":\\"correcthorse\\"}'],
    ["password", "<password>abc123def</password>"],
    ["password", "passwd: 'Tr0ub4dor&3'"],
    ["password", "pwd=Abcdef1!"],
    ["password", "machine git.corp.example login ann password s3cretWord1"],
    ["password", "https://corp.example/login?user=ann&password=hunter22&x=1"],
    ["secret", "client_secret: 8f14e45fceea167a5a36dedd4bea2543"],
    ["secret", "AUTH_SECRET=b9a1c3d5e7f90a2b4c6d8e0f1a3b5c7d"],
    ["API key", "api_key=abcd1234efgh5678ijkl"],
    ["API key", "apiKey: 'zaCELgL0imfnc8mVLWwsAawjYr4Rx'"],
    ["API key", "Access key - a1b2c3d4e5f6g7h8".replace(" -", ":")],
    ["access token", "access_token=ZXhhbXBsZTEyMzQ1Njc4OTBhYmNk"],
    ["access token", "refresh token: 0a1B2c3D4e5F6g7H8i9J"],
    ["token", "token: 0a1B2c3D4e5F6g7H8i9J0k1L"],
    ["authorization header", "Authorization: Basic dXNlcjpwYXNzd29yZDEyMw=="],
    ["authorization header", 'curl -H "Authorization: Bearer 0a1b2c3d4e5f6g7h8i9j"'],
    ["bearer token", "send Bearer 0a1b2c3d4e5f6g7h8i9j0k with it"],
    ["AWS secret access key", "aws key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    ["AWS secret access key", "secret for the bucket is je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY"],
  ])("%s: %s", (kind, text) => expect(kindIn(text)).toBe(kind));
});

describe("ordinary text with the same words", () => {
  test.each([
    "Your password was reset. Please choose a new password: it must be at least 12 characters long.",
    "Password policy: minimum length 12, rotate every 90 days",
    "Passcode: 482913, password: required",
    "password=$" + "{DB_PASSWORD} password={{ vault.password }} password=<your password> password=********",
    "password = getPassword() or password: process.env.DB_PASSWORD",
    "Password hash: $2b$12$KIXQ0f9bT1mRz8yY8u6s7eQw1Zt5b9m1cJ0o6xk2v3n4p5q6r7s8t",
    "password: https://corp.example/reset",
    "password: ann@corp.example",
    "https://us02web.zoom.us/j/86512345678?pwd=QWxhZGRpbjpvcGVuIHNlc2FtZQ.1",
    "The secret: approve-the-purchase-order. The secret to success is: hard work.",
    "Secret Santa budget: 25 EUR, secret: summer2025",
    "API key: ask Ann in IT (room 2B-14)",
    "license key: ABCDE-12345-FGHIJ-67890",
    "account key: ACC-2025-000123",
    "idempotency_key: 123e4567-e89b-12d3-a456-426614174000",
    "cache key: 356a192b7913b04c54574d18c28d46e6395428ab",
    "next page token: CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA",
    "https://api.corp.example/items?token=CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA&pageToken=CAUQAAxyz123456789abcd",
    "token: 356a192b7913b04c54574d18c28d46e6395428ab",
    "token: 123e4567-e89b-12d3-a456-426614174000",
    "tracking token for the parcel: 1Z999AA10123456784",
    "The bearer of this letter; Bearer authentication is required",
    "aws commit 356a192b7913b04c54574d18c28d46e6395428ab",
    "The key: monkey=banana123, turkey: 12345678abcd",
  ])("%s", (text) => expect(kindIn(text)).toBeNull());
});

describe("a field whose name says what it holds", () => {
  test.each([
    ["password", "hunter2x", "password"],
    ["dbPassword", "correct-horse-battery", "password"],
    ["x-api-key", "a1b2c3d4e5f6g7h8", "API key"],
    ["client_secret", "c9f0f895-fb98-4b91-a7f1-b7b0d8d1f2aa", "secret"],
    ["accessToken", "0a1B2c3D4e5F6g7H", "API key"],
    ["Authorization", "Token abcdefgh1234", "authorization header"],
    ["authorization", "Bearer short-but-sent", "authorization header"],
    ["Cookie", "theme=dark; session=0a1B2c3D4e5F6g7H8i9J0k", "cookie"],
  ])("%s = %s is a %s", (name, value, kind) => expect(kindOfField(name, value)).toBe(kind));

  test.each([
    ["password", ""],
    ["password", "********"],
    ["password", "required"],
    ["password", "Please enter your password"],
    ["passwordHint", "hunter2x"],
    ["secretary", "Ann Example 2025abcd"],
    ["token", "123e4567-e89b-12d3-a456-426614174000"],
    ["pageToken", "CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA"],
    ["idempotency-key", "123e4567-e89b-12d3-a456-426614174000"],
    ["key", "356a192b7913b04c54574d18c28d46e6395428ab"],
    ["authorization", "granted"],
    ["Cookie", "theme=dark; lang=en"],
  ])("%s = %s is nothing", (name, value) => expect(kindOfField(name, value)).toBeNull());
});

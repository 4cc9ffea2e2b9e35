import { describe, expect, it } from "vitest";
import { createAppAddress, returnedWords } from "@/app/_lib/slack-words";
import { slackManifest } from "@/server/domain/slack-app";

describe("coming back from Slack", () => {
  it("is told in words of ours, whatever the address says", () => {
    expect(returnedWords("linked", undefined)?.tone).toBe("ok");
    expect(returnedWords(undefined, "slack_declined")).toMatchObject({ tone: "stop" });
    for (const code of ["__proto__", "constructor", "<b>", "x".repeat(10_000)]) {
      expect(returnedWords(code, undefined)).toBeNull();
      expect(returnedWords(undefined, code)).toEqual({ tone: "stop", words: "Nothing was done. Start again." });
    }
    expect(returnedWords(undefined, undefined)).toBeNull();
  });
});

it("the app is made at Slack from the whole manifest", () => {
  const manifest = slackManifest("https://countersign.example");
  const address = new URL(createAppAddress(manifest));
  expect(address.origin).toBe("https://api.slack.com");
  expect(JSON.parse(address.searchParams.get("manifest_json") ?? "")).toEqual(manifest);
});

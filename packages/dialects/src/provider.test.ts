import { describe, expect, it } from "vitest";
import { providerOf } from "./provider.ts";

describe("the provider", () => {
  it.each([
    ["https://api.openai.com/v1", "openai", "api.openai.com", 443],
    ["https://eu.api.openai.com/v1", "openai", "eu.api.openai.com", 443],
    ["https://mine.openai.azure.com/openai", "azure.ai.openai", "mine.openai.azure.com", 443],
    ["https://api.groq.com/openai/v1", "groq", "api.groq.com", 443],
    ["https://api.deepseek.com", "deepseek", "api.deepseek.com", 443],
    [
      "https://us-central1-aiplatform.googleapis.com/v1",
      "gcp.vertex_ai",
      "us-central1-aiplatform.googleapis.com",
      443,
    ],
    ["http://localhost:11434/v1", "ollama", "localhost", 11434],
    ["http://127.0.0.1:8000/v1", "vllm", "127.0.0.1", 8000],
    ["http://localhost:8080/v1", "openai", "localhost", 8080],
    ["https://example.com:8000/v1", "openai", "example.com", 8000],
    ["http://ollama:11434/v1", "ollama", "ollama", 11434],
    [
      "https://bedrock-mantle.us-east-1.api.aws/openai/v1",
      "aws.bedrock",
      "bedrock-mantle.us-east-1.api.aws",
      443,
    ],
    ["http://[::1]/v1", "openai", "::1", 80],
    ["https://notapi.openai.com.evil.test", "openai", "notapi.openai.com.evil.test", 443],
  ])("behind %s is %s", (baseUrl, name, address, port) => {
    expect(providerOf(baseUrl)).toEqual({ name, address, port });
  });

  it("is openai without an address where the URL says nothing", () => {
    for (const odd of [undefined, null, 7, "", "not a url", "mailto:x"]) {
      expect(providerOf(odd)).toEqual({ name: "openai" });
    }
  });
});

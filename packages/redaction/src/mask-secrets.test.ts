import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { maskSecrets } from "./mask-secrets.ts";

// Put together at run time, so that no scanner of repositories takes them for real ones.
const letters = "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xY";
const hex = "0123456789abcdef0123456789abcdef";

const TOKENS: readonly (readonly [kind: string, secret: string])[] = [
  ["api_key", `sk-${letters}${letters}`],
  ["api_key", `sk-proj-${letters}_${letters}-${letters}`],
  ["api_key", `sk-ant-api03-${letters}-${letters}AA`],
  ["api_key", `sk-or-v1-${hex}${hex}`],
  ["api_key", "sk-lf-01234567-89ab-cdef-0123-456789abcdef"],
  ["api_key", "sk-abcdefghijklmnopqrstuvwxyz"],
  ["api_key", `gsk_${letters}`],
  ["api_key", `xai-${letters}`],
  ["api_key", `pplx-${hex}${hex}`],
  ["api_key", `lsv2_pt_${hex}_${hex.slice(0, 10)}`],
  ["api_key", `pcsk_${letters}_${letters}`],
  ["api_key", `csk-${hex}`],
  ["api_key", `tvly-dev-${letters}`],
  ["api_key", `fc-${hex}`],
  ["api_key", `sk_${hex}0123456789abcdef`],
  ["api_key", `jina_${hex}${letters}`],
  ["api_key", `vck_${letters}`],
  ["api_key", `sbp_${hex}01234567`],
  ["api_key", `re_${letters.slice(0, 8)}_${letters.slice(0, 24)}`],
  ["api_key", `sntrys_eyJ${letters}=_${letters}`],
  ["api_key", `glsa_${letters}_01234567`],
  ["api_key", `NRAK-${letters.toUpperCase().slice(0, 27)}`],
  ["api_key", `pscale_tkn_${letters}`],
  ["api_key", `PMAK-${hex.slice(0, 24)}-${hex}01`],
  ["vault_token", `hvs.${letters}${letters}`],
  ["doppler_token", `dp.pt.${letters}01234567`],
  ["google_api_key", `AQ.Ab8${letters}_${letters}`],
  ["databricks_token", `dapi${hex}`],
  ["alibaba_access_key", `LTAI${letters.slice(0, 20)}`],
  ["atlassian_token", `ATATT3xFfGF0${letters}${letters}=01234567`],
  ["aws_access_key", `ABSK${letters.repeat(4)}==`],
  ["azure_client_secret", `abc8Q~${letters}xy`],
  ["bot_token", `123456789:AA${letters}x`],
  ["aws_access_key", "AKIAIOSFODNN7EXAMPLE"],
  ["aws_access_key", "ASIAIOSFODNN7EXAMPLE"],
  ["github_token", `ghp_${letters}abcd`],
  ["github_token", `gho_${letters}abcd`],
  ["github_token", `github_pat_11ABCDEFG0_${letters}${letters}`],
  ["gitlab_token", `glpat-${letters.slice(0, 20)}`],
  ["slack_token", ["xoxb", "123456789012", "1234567890123", letters].join("-")],
  ["slack_token", ["xapp", "1", "A0123456789", hex].join("-")],
  ["stripe_key", ["sk", "live", letters].join("_")],
  ["stripe_key", ["rk", "test", letters].join("_")],
  ["stripe_key", `whsec_${letters}`],
  ["google_api_key", `AIza${letters}xyz`],
  ["google_api_key", `GOCSPX-${letters}`],
  ["google_access_token", `ya29.a0Af${letters}-${letters}`],
  ["huggingface_token", `hf_${letters}ab`],
  ["npm_token", `npm_${letters}abcd`],
  ["pypi_token", `pypi-AgEIcHlwaS5vcmc${letters}`],
  ["twilio_key", `SK${hex}`],
  ["sendgrid_key", `SG.${letters}.${letters}`],
  ["jwt", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${letters}`],
];

describe("maskSecrets", () => {
  it.each(TOKENS)("masks a %s wherever it stands: %s", (kind, secret) => {
    const note = `[redacted: ${kind}]`;
    expect(maskSecrets(secret)).toBe(note);
    expect(maskSecrets(`Use ${secret}, please.`)).toBe(`Use ${note}, please.`);
    expect(maskSecrets(`first\n${secret}\nlast`)).toBe(`first\n${note}\nlast`);
    const escaped = JSON.stringify({ said: `first\n${secret}` });
    expect(maskSecrets(escaped)).toBe(JSON.stringify({ said: `first\n${note}` }));
    const twice = JSON.stringify({ arguments: escaped });
    expect(maskSecrets(twice)).toBe(twice.replace(secret, note));
    expect(maskSecrets(`https://host/?x=${secret}&y=1`)).toBe(`https://host/?x=${note}&y=1`);
  });

  it.each(["agent_", "side-", "event-", "server__"])(
    "masks what a name is made of behind %s",
    (beginning) => {
      const secret = `sk-proj-${letters}`;
      expect(maskSecrets(`${beginning}${secret}`)).toBe(`${beginning}[redacted: api_key]`);
      expect(maskSecrets(`my${secret}`)).toBe(`my${secret}`);
    },
  );

  it.each([
    ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted: authorization]"],
    [`{"token":"${hex}"}`, '{"token":"[redacted: token]"}'],
    [
      JSON.stringify({ args: `{"token": "${hex}"}` }),
      '{"args":"{\\"token\\": \\"[redacted: token]\\"}"}',
    ],
    [
      `curl -H 'authorization: Bearer ${hex}' x`,
      "curl -H 'authorization: Bearer [redacted: authorization]' x",
    ],
    [`{"Authorization":"${hex}"}`, '{"Authorization":"[redacted: authorization]"}'],
    [`the header Bearer ${letters}.`, "the header Bearer [redacted: authorization]"],
    ["Cookie: sid=a1b2c3d4e5; theme=dark\nHost: x", "Cookie: [redacted: cookie]\nHost: x"],
    [`"set-cookie": "sid=${hex}; HttpOnly"`, '"set-cookie": "[redacted: cookie]"'],
    [`AZURE_OPENAI_API_KEY=${hex}`, "AZURE_OPENAI_API_KEY=[redacted: api_key]"],
    [`{\\"api_key\\": \\"${hex}\\"}`, '{\\"api_key\\": \\"[redacted: api_key]\\"}'],
    [`AccountKey=${letters}==;Endpoint=x`, "AccountKey=[redacted: api_key];Endpoint=x"],
    [`refresh_token: ${letters}`, "refresh_token: [redacted: token]"],
    ["password='hunter22-is-long'", "password='[redacted: secret]'"],
    [`NPM_TOKEN=${hex}`, "NPM_TOKEN=[redacted: token]"],
    [`export AZURE_KEY="${hex}"`, 'export AZURE_KEY="[redacted: api_key]"'],
    [`SECRET_KEY_BASE: ${hex}`, "SECRET_KEY_BASE: [redacted: api_key]"],
    [`deploy --api-key ${hex} --dry-run`, "deploy --api-key [redacted: secret] --dry-run"],
    ["login --password 'hunter22-is-long' x", "login --password '[redacted: secret]' x"],
    [
      JSON.stringify(["deploy", "--auth-token", hex, "--force"]),
      '["deploy","--auth-token","[redacted: secret]","--force"]',
    ],
    [
      JSON.stringify({ args: JSON.stringify(["--token", hex]) }),
      '{"args":"[\\"--token\\",\\"[redacted: secret]\\"]"}',
    ],
    [`deploy --token=${hex}`, "deploy --token=[redacted: secret]"],
    [`deploy --github_token ${hex}`, "deploy --github_token [redacted: secret]"],
    ["curl -sS -u 'me:hunter2' https://h", "curl -sS -u 'me:[redacted: credentials]' https://h"],
    ["curl -u me:hunter2 https://h", "curl -u me:[redacted: credentials] https://h"],
    ["curl --user=me:hunter2 https://h", "curl --user=me:[redacted: credentials] https://h"],
    ["curl -s \\\n  -u :hunter2 https://h", "curl -s \\\n  -u :[redacted: credentials] https://h"],
    ["curl -u 'me:hun\"ter2' h", "curl -u 'me:[redacted: credentials]' h"],
    ['curl -u "me:it\'s a pass" h', 'curl -u "me:[redacted: credentials]" h'],
    ['curl --user="me:it\'s" h', 'curl --user="me:[redacted: credentials]" h'],
    ["curl -u'me:hun\"ter2' h", "curl -u'me:[redacted: credentials]' h"],
    ["curl -u me:'hun\"ter2' h", "curl -u me:'[redacted: credentials]' h"],
    [String.raw`curl -u "me:hun\"ter2" h`, 'curl -u "me:[redacted: credentials]" h'],
    [
      JSON.stringify({ command: `curl -u "me:it's" h && curl -u 'me:hun"ter2' h` }),
      JSON.stringify({
        command: `curl -u "me:[redacted: credentials]" h && curl -u 'me:[redacted: credentials]' h`,
      }),
    ],
    [
      JSON.stringify({ args: JSON.stringify(["curl", "-u", 'me:it\'s "x"', "h"]) }),
      JSON.stringify({ args: JSON.stringify(["curl", "-u", "me:[redacted: credentials]", "h"]) }),
    ],
    ["curl -x p --proxy-user me:hunter2 h", "curl -x p --proxy-user me:[redacted: credentials] h"],
    ["curl -x p -U me:hunter2 h", "curl -x p -U me:[redacted: credentials] h"],
    ["curl -sume:hunter2 h", "curl -sume:[redacted: credentials] h"],
    ["curl -d 'a | b' -u me:hunter2 h", "curl -d 'a | b' -u me:[redacted: credentials] h"],
    [
      `curl -d '{\n "a": "b; c"\n}' -u me:hunter2 h`,
      `curl -d '{\n "a": "b; c"\n}' -u me:[redacted: credentials] h`,
    ],
    [
      JSON.stringify({ command: `curl -d "a | b" -u 'me:hunter2' h` }),
      JSON.stringify({ command: `curl -d "a | b" -u 'me:[redacted: credentials]' h` }),
    ],
    [
      `curl -d '${"x".repeat(900)}' -u me:hunter2 h`,
      `curl -d '${"x".repeat(900)}' -u me:[redacted: credentials] h`,
    ],
    [
      "curl -u me:hunter2 --proxy-user 'you:swordfish' h",
      "curl -u me:[redacted: credentials] --proxy-user 'you:[redacted: credentials]' h",
    ],
    [String.raw`curl -u 'me:it'\''s1secret' h`, "curl -u 'me:[redacted: credentials]' h"],
    [
      JSON.stringify({ command: `curl -u 'me:hunter'"'"'2' -d "a" h` }),
      JSON.stringify({ command: `curl -u 'me:[redacted: credentials]' -d "a" h` }),
    ],
    [`curl -u me:${"p4ss".repeat(5_000)} h`, "curl -u me:[redacted: credentials] h"],
    [
      "curl -u me:hunter22 a; curl -u you:swordfish9 b",
      "curl -u me:[redacted: credentials] a; curl -u you:[redacted: credentials] b",
    ],
    ['["curl","-u","me:hunter2","h"]', '["curl","-u","me:[redacted: credentials]","h"]'],
    ['{"command":"curl -u me:hunter2"}', '{"command":"curl -u me:[redacted: credentials]"}'],
    [
      'curl "https://h/?a=1&b=2" -u me:pw1',
      'curl "https://h/?a=1&b=2" -u me:[redacted: credentials]',
    ],
    [
      "jdbc:x://db:1;user=sa;password=P@ssw0rd123",
      "jdbc:x://db:1;user=sa;password=[redacted: secret]",
    ],
    [`whsec_${"A".repeat(24)}/sk-proj-abc123def456ghi789`, "[redacted: stripe_key]"],
    [
      `pcsk_abcdefghij1234567890 SG.${letters}.${letters}`,
      "[redacted: api_key] [redacted: sendgrid_key]",
    ],
    [`client_secret=abc8Q~${letters}/rest1234`, "client_secret=[redacted: secret]"],
    ["dckr_pat_abcdefghijklmnopqrstuvwxyzA", "[redacted: api_key]"],
    ["xoxf-123456789012-abcdef", "[redacted: slack_token]"],
    [`dp.st.prd.${letters}01234567`, "[redacted: doppler_token]"],
    [`GET /v1?key=${hex}&q=1`, "GET /v1?key=[redacted: url_parameter]&q=1"],
    [`https://h/?X-Amz-Signature=${hex}`, "https://h/?X-Amz-Signature=[redacted: url_parameter]"],
    ["postgres://admin:s3cr3t@db:5432/app", "postgres://[redacted: credentials]@db:5432/app"],
    [
      `https://hooks.slack.com/services/T000/B000/${letters}`,
      "https://hooks.slack.com/services/[redacted: webhook]",
    ],
  ])("masks the value and leaves its name: %s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it("masks private keys as text, escaped, and cut off", () => {
    const [head, tail] = ["BEGIN", "END"].map((word) => `-----${word} RSA PRIVATE KEY-----`);
    const key = `${head}\nMIIEow+/${letters}\n${letters}==\n${tail}`;
    expect(maskSecrets(`a ${key} b`)).toBe("a [redacted: private_key] b");
    const json = JSON.stringify({ key, after: 1 });
    expect(maskSecrets(json)).toBe('{"key":"[redacted: private_key]","after":1}');
    const cut = JSON.stringify({ key: key.slice(0, 60), after: 1 });
    expect(maskSecrets(cut)).toBe('{"key":"[redacted: private_key]","after":1}');
  });

  it("leaves alone what only looks long", () => {
    const fixture: unknown = JSON.parse(
      readFileSync(new URL("fixtures/encrypted-content.json", import.meta.url), "utf8"),
    );
    const texts = [
      JSON.stringify(fixture),
      "call_7lXGyxXmVGuNDWnCNyEmZ8Px resp_0715fbcff7ba1d57006914d5f34eb881a384862fa55f301aa3",
      "123e4567-e89b-12d3-a456-426614174000",
      `sha256:${hex}${hex}`,
      "4bf92f3577b34da6a3ce929d0e0e4736/00f067aa0ba902b7 1795183471281000123",
      "a sk-based-on-hyphenated-words slug, the task-force-1234567890abcdef, disk-0123456789abcdef",
      'api_key=os.environ["OPENAI_API_KEY"], api_key: process.env.OPENAI_API_KEY',
      "OPENAI_API_KEY=<your-key-1> and OPENAI_API_KEY=$KEY_2",
      "Authorization: Bearer $GITHUB_TOKEN https://oauth2:$" +
        "{TOKEN}@host/a.git PASSWORD=$SECRET_12",
      "The bearer of this letter. Bearer authentication. Authorization: required for all users",
      "Cookie: chocolate chip. The password: string. max_tokens: 12345678, page_token: x",
      "http://localhost:3000/a@b mailto:someone@example.com https://user@example.com/",
      "hf_transformers_model_name ghp_ AKIA eyJ -----BEGIN CERTIFICATE-----",
      "docker run --user 1000:1000 x, chown -u a:b, curl --user-agent x:y1234567890 -uri a:bcdefg12",
      `curl -u "me:$PASSWORD" -u me:"$PASSWORD" h, curl -u "$USER:$PASS" h and 'a' or 'b'`,
      'curl -u "key:" -H "Accept: application/json" h, curl -u key: -d "x y z" h, curl -u key:"" "h"',
      JSON.stringify({ a: JSON.stringify({ command: 'curl -u "key:" -d "x y z" h', b: "cdef" }) }),
      '[{"command":"curl -u key:"},{"command":"docker run -u 1000:1000"}]',
      "curl 'x' | docker run -u 1000:1000 img 'y'",
      "curl -u me:$PASSWORD h, --token-limit 1234567890, --max-tokens 12345678, --token <token>",
      "CACHE_KEY=linux-node-modules-0123456789abcdef PRIMARY_KEY: customer_id_1234 NPM_TOKEN=$CI_1",
      "key-value-pairs-1234567890 re_export_everything_from_here fc-a1 vck_ re_12345678_short pul-1",
      "curl -s x && docker run -u 1000:1000 img, curl https://h -u https://x:8080/a",
      "mysql --password --default-character-set=utf8mb4 db, docker build --secret id=aws_v2_creds,src=a",
      "jina_embeddings_v2_base_en ops_team_dashboard_service_v2_handler ops_2024_01_05_incident.md",
      "e2b_code_interpreter_1_0_4 phx_airport_gates_2024_update pul-request-template-2024-final",
      "csk-classification-report-2024-v2 vcp_controller_manager_v1beta1_x xai-org/grok-1",
      "hvs.getElementByIdentifierName() dp.pt.computeBoundingRectangle(x) config.dp.st.someLongName1",
      `CACHE_KEY: linux/x64/node20/dependencies CACHE_KEY=${hex} NPM_TOKEN = getTokenFromVaultV2()`,
      "SSH_KEY=/home/ubuntu/keys2/deploykeyproduction AQ.a-long-file-name-of-many-words-1.txt",
      "some_secret_of_the_trade e2b_ glsa_of_many_words_without_a_number_in_them hvs.config.vault",
      '{"token":"Hello","logprob":-0.1,"prompt_cache_key":"session-12345678"}',
    ];
    expect(texts.map(maskSecrets)).toEqual(texts);
  });
});

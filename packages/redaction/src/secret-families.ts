/**
 * Shapes of secrets that look like keys. A family is looked for by its `trigger`, a pattern that rests on a rare
 * character and therefore runs at gigabytes a second; only a text in which it hits is read by the exact patterns.
 *
 * Every pattern is linear in the text: no run of characters is scanned twice, since tokens must begin where a
 * run begins, and what may fail late is bounded. The engine keeps a step for each character that a pattern may give
 * back, and ends at some millions: so a match is bounded too, and `rest` takes what goes on behind it.
 */
export interface SecretFamily {
  readonly trigger: RegExp;
  readonly secrets: readonly SecretShape[];
}

/** One form that secrets of a family have. */
export interface SecretShape {
  /** What stands in `[redacted: kind]`. */
  readonly kind: string;
  /** Global; what group 1 holds stays in the text. */
  readonly pattern: RegExp;
  /** Sticky: what belongs to the secret behind a match of `LONGEST_MATCH` characters or more, piece by piece. */
  readonly rest: RegExp;
}

/** Characters of a secret's body that a pattern takes at once. */
export const LONGEST_MATCH = 65_535;

/** In the sources of patterns `{n,}` is without bound but for that. */
function secret(kind: string, source: string, flags: string, rest: string = RUN): SecretShape {
  return {
    kind,
    pattern: new RegExp(bounded(source), flags),
    rest: new RegExp(bounded(rest), "y"),
  };
}

function bounded(source: string): string {
  return source.replaceAll(",}", `,${LONGEST_MATCH}}`);
}

/** Up to where a value surely ends. */
const RUN = String.raw`[^\s"'\\,;&<>{}()[\]]{1,}`;

/**
 * Where a token may begin: not after a word character, except where that is the end of an escape, as in the
 * JSON text `"line\nsk-…"` or in `%20sk-…`.
 */
const TOKEN_START = String.raw`(?<![\w-](?<!\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2}))`;

/** The boundary is checked behind the prefix, so that the search itself rests on the literal. */
function token(kind: string, prefix: string, body: string): SecretShape {
  return secret(kind, `(?:${prefix})(?<=${TOKEN_START}(?:${prefix}))()${body}`, "g");
}

/** Tells a key from a slug such as `sk-based-on-hyphenated-words`. */
const RANDOM = String.raw`(?=[\w-]{0,200}?(?:\d|[A-Z]|[a-z]{16}))`;

const HYPHENATED: readonly (readonly [kind: string, prefix: string, body: string])[] = [
  ["api_key", "sk-", String.raw`${RANDOM}[\w-]{12,}`],
  ["stripe_key", "(?:sk|rk|pk)_(?:live|test)_", "[A-Za-z0-9]{10,}"],
  ["stripe_key", "whsec_", "[A-Za-z0-9+/=]{20,}"],
  ["github_token", "gh[pousr]_", "[A-Za-z0-9]{20,}"],
  ["github_token", "github_pat_", String.raw`\w{20,}`],
  ["gitlab_token", "gl(?:pat|ptt|dt|rt|cbt|soat)-", String.raw`[\w-]{16,}`],
  ["slack_token", "xox[a-z]-|xapp-", String.raw`(?=[\w-]{0,200}?\d)[\w-]{10,}`],
  ["google_api_key", "GOCSPX-", String.raw`[\w-]{20,}`],
  ["huggingface_token", "hf_", "[A-Za-z0-9]{24,}"],
  ["npm_token", "npm_", "[A-Za-z0-9]{30,}"],
  ["pypi_token", "pypi-", String.raw`[\w-]{40,}`],
  ["api_key", "(?:gsk|r8|ntn|tvly|fw)[_-]", String.raw`(?=\w{0,100}?\d)(?:dev-)?[A-Za-z0-9]{20,}`],
  ["api_key", "(?:xai|pplx|nvapi)-", String.raw`[\w-]{24,}`],
  ["api_key", "lsv2_(?:pt|sk)_|pcsk_", String.raw`\w{20,}`],
  ["api_key", "(?:shp(?:at|ss|ca|pa)|do[opr]_v1|dckr_pat|lin_api|figd)_", String.raw`[\w-]{20,}`],
  ["api_key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"],
  ["private_key", "AGE-SECRET-KEY-", "1[A-Z0-9]{50,}"],
];

const LETTERED: readonly (readonly [kind: string, prefix: string, body: string])[] = [
  ["aws_access_key", "A(?:KI|SI|BI|CC)A", "[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["twilio_key", "SK(?=[0-9a-f]{32})", "[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["google_api_key", "AIza", String.raw`[\w-]{35}`],
  ["google_access_token", String.raw`ya29\.`, String.raw`[\w-]{20,}`],
  ["sendgrid_key", String.raw`SG\.`, String.raw`[\w-]{16,}\.[\w-]{16,}`],
  ["jwt", "eyJ", String.raw`[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{0,}){1,3}`],
];

/** Between a name and its value in a header, a query, an environment file, JSON, or JSON inside JSON. */
const IS = String.raw`\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?`;
/** `$TOKEN`, `${token}`, `#{token}`: not the value, but where it comes from. */
const NO_VARIABLE = String.raw`(?!\$[A-Z_{(]|#\{)`;
/** A value that is no prose. */
const VALUE = String.raw`${NO_VARIABLE}(?=[^\s"'\\,;&<>{}()[\]]{0,64}?\d)[^\s"'\\,;&<>{}()[\]]{8,}`;

/** Twice as long as what is asked of a value with a telling name. */
const LONG_VALUE = String.raw`${NO_VARIABLE}(?=[\w.~+/=-]{0,64}?\d)[\w.~+/=-]{16,}`;

const NAMED_KEY =
  "(?:api|access|secret|private|account|signing|encryption|subscription|shared_?access)[_-]?key";
const NAMED_TOKEN = "(?:access|api|auth|refresh|id|session|security|bearer|bot)[_-]?token";
const NAMED_SECRET = "secret|passw(?:or)?d|passphrase|pwd";
const SCHEME = String.raw`(?:Bearer|Basic|Token|ApiKey|Key)\s{1,4}`;

/** Of a key in PEM: lines of base64, or the same in JSON. */
const PEM_BODY = String.raw`(?:[A-Za-z0-9+/=\s]|\\{1,64}[nr])`;
const PEM_NAME = "[A-Z0-9 ]{0,40}PRIVATE KEY";
const PEM_END = `[^-"']{0,}(?:-(?!----)[^-"']{0,}){0,1000}-----END ${PEM_NAME}(?: BLOCK)?-----`;

/** Every family, in the order in which they are applied. */
export const SECRET_FAMILIES: readonly SecretFamily[] = [
  {
    trigger: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/,
    secrets: [
      secret(
        "private_key",
        `()-----BEGIN ${PEM_NAME}(?: BLOCK)?-----(?:${PEM_END}|${PEM_BODY}{0,})`,
        "g",
        `${PEM_BODY}{1,}`,
      ),
    ],
  },
  {
    trigger: new RegExp(
      `[-_](?<=${TOKEN_START}(?:${HYPHENATED.map(([, prefix]) => prefix).join("|")}))`,
    ),
    secrets: HYPHENATED.map((row) => token(...row)),
  },
  {
    trigger: new RegExp(`(?:${LETTERED.map(([, prefix]) => prefix).join("|")})[\\w-]{8}`),
    secrets: LETTERED.map((row) => token(...row)),
  },
  {
    trigger:
      /[=:](?<=(?:key|token|secret|passw(?:or)?d|passphrase|pwd|sig|signature|authorization|cookie)[\\"']{0,4}\s{0,4}[=:])/i,
    secrets: [
      secret(
        "authorization",
        String.raw`(authorization${IS}${SCHEME})${NO_VARIABLE}[^\s"'\\,;]{6,}`,
        "gi",
      ),
      secret("authorization", `(authorization${IS})${VALUE}`, "gi"),
      secret(
        "cookie",
        String.raw`(cookie${IS})[\w.-]{1,256}=[^"'\\\r\n]{4,}`,
        "gi",
        String.raw`[^"'\\\r\n]{1,}`,
      ),
      secret("api_key", `(${NAMED_KEY}${IS})${VALUE}`, "gi"),
      secret("token", `(${NAMED_TOKEN}${IS})${VALUE}`, "gi"),
      // A bare `token` is a word of many meanings: in JSON, with a value that is long and no word, it is one.
      secret(
        "token",
        String.raw`(?<![\w-])(token\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}")${LONG_VALUE}`,
        "gi",
      ),
      secret("secret", `((?:${NAMED_SECRET})${IS})${VALUE}`, "gi"),
      secret(
        "url_parameter",
        String.raw`([?&](?:key|token|sig|[\w-]{0,24}signature)=)[^\s"'\\,;&<>{}()[\]]{8,}`,
        "gi",
      ),
    ],
  },
  {
    trigger: /earer\s/i,
    secrets: [
      secret(
        "authorization",
        String.raw`(bearer\s{1,4})(?=[\w.~+/=-]{0,64}?\d|[\w.~+/=-]{24})[\w.~+/=-]{12,}`,
        "gi",
      ),
    ],
  },
  {
    trigger: /:\/\/[^\s/@]{1,400}@/,
    secrets: [
      secret(
        "credentials",
        String.raw`(://)[^\s/?#@:"'<>\\]{0,128}:${NO_VARIABLE}[^\s/@"'<>\\]{1,256}(?=@)`,
        "g",
      ),
    ],
  },
  {
    trigger: /\d:AA[\w-]{8}/,
    secrets: [secret("bot_token", String.raw`(?<!\d)()\d{8,10}:AA[\w-]{32,36}`, "g")],
  },
  {
    trigger: /slack\.com\/services\/|\/api\/webhooks\//,
    secrets: [
      secret("webhook", String.raw`(slack\.com\/services\/|\/api\/webhooks\/)[\w/-]{20,}`, "g"),
    ],
  },
];

/** Names of fields whose value is a secret, whatever it looks like. */
export const SECRET_FIELD: RegExp = new RegExp(
  `^(?:x-)?(?:(?:proxy-?)?authorization|(?:set-)?cookie|${NAMED_KEY}|${NAMED_TOKEN}|client_?secret|${NAMED_SECRET})$`,
  "i",
);

/** The value of a field that is called `token` and nothing more, where it is a secret and no word of a text. */
export const TOKEN_VALUE: RegExp = new RegExp(`^${bounded(LONG_VALUE)}$`);

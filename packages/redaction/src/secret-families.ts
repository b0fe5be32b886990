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

/** Secrets that are told by how they begin: read from there, and not searched for kind by kind. */
export interface PrefixedSecrets {
  readonly trigger: RegExp;
  /** Global; group 1 is a prefix, and ends where the match ends. */
  readonly prefix: RegExp;
  /** What may follow a prefix; its patterns are sticky. */
  readonly bodies: ReadonlyMap<string, readonly SecretShape[]>;
}

/** One form that secrets of a family have. */
export interface SecretShape {
  /** What stands in `[redacted: kind]`. */
  readonly kind: string;
  /** Global, or sticky where it follows a prefix; what group 1 holds stays in the text. */
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
 * JSON text `"line\nsk-…"` or in `%20sk-…`, or of what ThoughtFlow's names begin with that are made of others: `agent_sk-…` of the
 * id of a call, `server__sk-…` of a tool.
 */
const TOKEN_START = String.raw`(?<![\w-](?<!\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2}|\b(?:agent_|side-|event-)|__))`;

/** The boundary is checked behind the prefix, so that the search itself rests on the literal. */
function token(kind: string, prefix: string, body: string): SecretShape {
  return secret(kind, `(?:${prefix})(?<=${TOKEN_START}(?:${prefix}))()${body}`, "g");
}

/** Any of these texts: for a look behind, which reads them from their ends. */
function oneOf(texts: readonly string[]): string {
  const ends = new Map<string, string[]>();
  for (const text of texts) {
    const last = text.slice(-1);
    ends.set(last, [...(ends.get(last) ?? []), text.slice(0, -1)]);
  }
  const sources = [...ends].map(([last, heads]) =>
    last === "" ? "" : oneOf(heads) + escaped(last),
  );
  return sources.length === 1 ? sources.join() : `(?:${sources.join("|")})`;
}

function escaped(text: string): string {
  return text.replaceAll(".", String.raw`\.`);
}

/** Words in small letters or capital ones: a flag would slow down all of a pattern. */
function inAnyCase(words: string): string {
  return words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Tells a key from a slug such as `sk-based-on-hyphenated-words`. */
const RANDOM = String.raw`(?=[\w-]{0,200}?(?:\d|[A-Z]|[a-z]{16}))`;

type PrefixRow = readonly [kind: string, prefixes: string, body: string];
type LetterRow = readonly [kind: string, prefix: string, body: string];

/** Prefixes that end in a hyphen or an underscore. */
const PREFIXED: readonly PrefixRow[] = [
  ["api_key", "sk-", String.raw`${RANDOM}[\w-]{12,}`],
  ["stripe_key", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_", "[A-Za-z0-9]{10,}"],
  ["stripe_key", "whsec_", "[A-Za-z0-9+/=]{20,}"],
  ["github_token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9]{20,}"],
  ["github_token", "github_pat_", String.raw`\w{20,}`],
  [
    "gitlab_token",
    "glpat- glptt- gldt- glrt- glcbt- glft- glimt- glsoat- gloas- glagent-",
    String.raw`[\w-]{16,}`,
  ],
  [
    "slack_token",
    `${[..."abcdefghijklmnopqrstuvwxyz"].map((letter) => `xox${letter}-`).join(" ")} xapp-`,
    String.raw`(?=[\w-]{0,200}?\d)[\w-]{10,}`,
  ],
  ["google_api_key", "GOCSPX-", String.raw`[\w-]{20,}`],
  ["huggingface_token", "hf_", "[A-Za-z0-9]{24,}"],
  ["npm_token", "npm_", "[A-Za-z0-9]{30,}"],
  ["pypi_token", "pypi-", String.raw`[\w-]{40,}`],
  [
    "api_key",
    "gsk_ gsk- r8_ r8- ntn_ ntn- tvly_ tvly- fw_ fw-",
    String.raw`(?=\w{0,100}?\d)(?:dev-)?[A-Za-z0-9]{20,}`,
  ],
  ["api_key", "xai- pplx- nvapi-", String.raw`[\w-]{24,}`],
  ["api_key", "lsv2_pt_ lsv2_sk_ pcsk_", String.raw`\w{20,}`],
  [
    "api_key",
    "shpat_ shpss_ shpca_ shppa_ doo_v1_ dop_v1_ dor_v1_ dckr_pat_ lin_api_ figd_",
    String.raw`[\w-]{20,}`,
  ],
  ["api_key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"],
  ["private_key", "AGE-SECRET-KEY-", "1[A-Z0-9]{50,}"],
];

/** The same, or prefixes that end in a dot, of keys that are less often met, or look more like other names. */
const RARELY_PREFIXED: readonly PrefixRow[] = [
  ["api_key", "e2b_ sbp_ rubygems_ pul- sntryu_ fc-", String.raw`[a-f0-9]{32,}(?![\w-])`],
  [
    "api_key",
    "tvly-dev- csk- vck_ vcp_ phx_ jina_ bkua_ NRAK-",
    String.raw`(?=[A-Za-z0-9]{0,100}?\d)[A-Za-z0-9]{24,}(?![\w-])`,
  ],
  [
    "api_key",
    "sb_secret_ sntrys_ HRKU- CCIPAT_ fo1_ xkeysib- sq0atp- sq0csp- pscale_tkn_ pscale_pw_ pscale_oauth_",
    String.raw`(?=[\w+/=-]{0,100}?\d)[\w+/=-]{20,}`,
  ],
  ["api_key", "ops_ glc_", "eyJ[A-Za-z0-9+/=]{30,}"],
  ["api_key", "fm2_", "[A-Za-z0-9+/=]{80,}"],
  ["api_key", "glsa_", "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"],
  ["api_key", "sk_ secret_", "(?:[a-f0-9]{48}|[A-Za-z0-9]{43})(?![A-Za-z0-9])"],
  ["api_key", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"],
  ["google_api_key", "AQ.", String.raw`Ab8[\w-]{40,}`],
  ["vault_token", "hvs. hvb. hvr.", String.raw`(?=[\w-]{0,100}?\d)[\w-]{24,}`],
  [
    "doppler_token",
    "dp.pt. dp.st. dp.sa. dp.ct.",
    String.raw`(?:[\w-]{2,35}\.)?(?=[A-Za-z0-9]{0,60}?\d)[A-Za-z0-9]{40,}`,
  ],
];

const LETTERED: readonly LetterRow[] = [
  ["aws_access_key", "A(?:KI|SI|BI|CC)A", "[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["twilio_key", "SK(?=[0-9a-f]{32})", "[0-9a-f]{32}(?![A-Za-z0-9])"],
  ["google_api_key", "AIza", String.raw`[\w-]{35}`],
  ["google_access_token", String.raw`ya29\.`, String.raw`[\w-]{20,}`],
  ["sendgrid_key", String.raw`SG\.`, String.raw`[\w-]{16,}\.[\w-]{16,}`],
  ["jwt", "eyJ", String.raw`[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{0,}){1,3}`],
];

const RARELY_LETTERED: readonly LetterRow[] = [
  ["aws_access_key", "ABSK", "[A-Za-z0-9+/]{100,}={0,2}"],
  ["alibaba_access_key", "LTAI", "[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"],
  ["atlassian_token", "ATATT3", String.raw`[\w=-]{60,}`],
  ["databricks_token", "dapi", "[a-f0-9]{32}(?![A-Za-z0-9])"],
];

/** Between a name and its value in a header, a query, an environment file, JSON, or JSON inside JSON. */
const IS = String.raw`\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?`;
/** What may follow in `IS` where it is a secret at all: as code has it, what a name gets is mostly shorter, a call, or none. */
const MAY_BE = String.raw`(?=\s{0,4}\\{0,3}["']?(?:[^\s"'\\,;&<>{}()[\]]{8}|[\w.-]{1,256}=|${inAnyCase("bearer|basic|token|apikey|key")}\s))`;
/** `$TOKEN`, `${token}`, `#{token}`: not the value, but where it comes from. */
export const NO_VARIABLE: string = String.raw`(?!\$[A-Z_{(]|#\{)`;
/** A value that is no prose. */
const VALUE = String.raw`${NO_VARIABLE}(?=[^\s"'\\,;&<>{}()[\]]{0,64}?\d)[^\s"'\\,;&<>{}()[\]]{8,}`;

/** Twice as long as what is asked of a value with a telling name. */
const LONG_VALUE = String.raw`${NO_VARIABLE}(?=[\w.~+/=-]{0,64}?\d)[\w.~+/=-]{16,}`;

/** The same of an environment variable: no call, no path. */
const ENVIRONMENT_VALUE = String.raw`(?![\w.]{1,200}\(|[~.]?/)(?=[^\s"'\\,;&<>{}()[\]]{16})${VALUE}`;

const NAMED_KEY =
  "(?:api|access|secret|private|account|signing|encryption|subscription|shared_?access)[_-]?key(?:_base)?";
const NAMED_TOKEN = "(?:access|api|auth|refresh|id|session|security|bearer|bot)[_-]?token";
const NAMED_SECRET = "secret|passw(?:or)?d|passphrase|pwd";
const SCHEME = String.raw`(?:Bearer|Basic|Token|ApiKey|Key)\s{1,4}`;

/** Behind a flag, up to the word that is its value, in a command line, or in a list of its words. */
export const NEXT_TO_FLAG: string = String.raw`=|\\{0,3}["']?(?:[\s,]|\\n){1,4}`;
const NEXT_WORD = String.raw`(?:${NEXT_TO_FLAG})\\{0,3}["']?`;
const FLAG = `--(?:[a-z_-]{1,24}[_-])?(?:${NAMED_KEY}|token|${NAMED_SECRET})`;
/** Of a key in PEM: lines of base64, or the same in JSON. */
const PEM_BODY = String.raw`(?:[A-Za-z0-9+/=\s]|\\{1,64}[nr])`;
const PEM_NAME = "[A-Z0-9 ]{0,40}PRIVATE KEY";
const PEM_END = `[^-"']{0,}(?:-(?!----)[^-"']{0,}){0,1000}-----END ${PEM_NAME}(?: BLOCK)?-----`;

function prefixedSecrets(rows: readonly PrefixRow[]): PrefixedSecrets {
  const bodies = new Map<string, SecretShape[]>();
  for (const [kind, prefixes, body] of rows) {
    const shape = secret(kind, body, "y");
    for (const prefix of prefixes.split(" "))
      bodies.set(prefix, [...(bodies.get(prefix) ?? []), shape]);
  }
  const source = `[-_.](?<=${TOKEN_START}(${oneOf([...bodies.keys()])}))`;
  return { trigger: new RegExp(source), prefix: new RegExp(source, "g"), bodies };
}

export const PRIVATE_KEYS: SecretFamily = {
  trigger: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/,
  secrets: [
    secret(
      "private_key",
      `()-----BEGIN ${PEM_NAME}(?: BLOCK)?-----(?:${PEM_END}|${PEM_BODY}{0,})`,
      "g",
      `${PEM_BODY}{1,}`,
    ),
  ],
};

export const PREFIXED_KEYS: PrefixedSecrets = prefixedSecrets(PREFIXED);

export const LETTERED_KEYS: SecretFamily = {
  trigger: new RegExp(`(?:${LETTERED.map(([, prefix]) => prefix).join("|")})[\\w-]{8}`),
  secrets: LETTERED.map((row) => token(...row)),
};

export const NAMED_VALUES: SecretFamily = {
  trigger: new RegExp(
    String.raw`[=:](?<=(?:${inAnyCase("key|key_base|token|secret|passwd|password|passphrase|pwd|sig|signature|authorization|cookie")})[\\"']{0,4}\s{0,4}[=:])${MAY_BE}`,
  ),
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
};

export const BEARER_TOKENS: SecretFamily = {
  trigger: new RegExp(String.raw`${inAnyCase("earer")}\s`),
  secrets: [
    secret(
      "authorization",
      String.raw`(bearer\s{1,4})(?=[\w.~+/=-]{0,64}?\d|[\w.~+/=-]{24})[\w.~+/=-]{12,}`,
      "gi",
    ),
  ],
};

export const CREDENTIALS: SecretFamily = {
  trigger: /:\/\/[^\s/@]{1,400}@|\d:AA[\w-]{8}/,
  secrets: [
    secret(
      "credentials",
      String.raw`(://)[^\s/?#@:"'<>\\]{0,128}:${NO_VARIABLE}[^\s/@"'<>\\]{1,256}(?=@)`,
      "g",
    ),
    secret("bot_token", String.raw`(?<!\d)()\d{8,10}:AA[\w-]{32,36}`, "g"),
  ],
};

export const RARELY_LETTERED_KEYS: SecretFamily = {
  trigger: new RegExp(
    String.raw`slack\.com\/services\/|\/api\/webhooks\/|\dQ~[\w.~-]{31}|(?:${RARELY_LETTERED.map(([, prefix]) => prefix).join("|")})[\w-]{8}`,
  ),
  secrets: [
    secret("webhook", String.raw`(slack\.com\/services\/|\/api\/webhooks\/)[\w/-]{20,}`, "g"),
    secret(
      "azure_client_secret",
      String.raw`(?<![\w.~-](?<!\\[bfnrt]))()[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w~-])`,
      "g",
    ),
    ...RARELY_LETTERED.map((row) => token(...row)),
  ],
};

export const RARELY_PREFIXED_KEYS: PrefixedSecrets = prefixedSecrets(RARELY_PREFIXED);

/** Command lines, also as lists of words, and environment variables. */
export const COMMAND_LINES: SecretFamily = {
  trigger:
    /--[\w-]{0,24}?(?:key(?:_base)?|token|secret|passw(?:or)?d|passphrase|pwd)[=\\"',\s]|_(?:TOKEN|KEY)[=:\\"'\s]/,
  secrets: [
    secret("secret", String.raw`((?<![\w-])${FLAG}${NEXT_WORD})(?!-|id=|source=)${VALUE}`, "gi"),
    secret("token", `([A-Z0-9]_TOKEN${IS})${ENVIRONMENT_VALUE}`, "g"),
    secret(
      "api_key",
      String.raw`([A-Z0-9](?<!CACHE|PUBLIC|PRIMARY|FOREIGN|SORT)_KEY${IS})(?=[A-Za-z0-9+]{24,200}={0,2}(?![\w./-]))${VALUE}`,
      "g",
    ),
  ],
};

/** Every family, in the order in which they are applied: what is told by a name goes as far as that tells. */
export const SECRET_FAMILIES: readonly (SecretFamily | PrefixedSecrets)[] = [
  PRIVATE_KEYS,
  PREFIXED_KEYS,
  LETTERED_KEYS,
  NAMED_VALUES,
  BEARER_TOKENS,
  CREDENTIALS,
  RARELY_LETTERED_KEYS,
  RARELY_PREFIXED_KEYS,
  COMMAND_LINES,
];

/** A word of a command line behind which the next one is a secret. */
export const SECRET_FLAG: RegExp = new RegExp(`^${FLAG}$`, "i");
/** What such a word may be. */
export const FLAG_VALUE: RegExp = new RegExp(bounded(`^(?!-)${VALUE}$`));

/** Names of fields whose value is a secret, whatever it looks like. */
export const SECRET_FIELD: RegExp = new RegExp(
  `^(?:x-)?(?:(?:proxy-?)?authorization|(?:set-)?cookie|${NAMED_KEY}|${NAMED_TOKEN}|client_?secret|${NAMED_SECRET})$`,
  "i",
);

/** The value of a field that is called `token` and nothing more, where it is a secret and no word of a text. */
export const TOKEN_VALUE: RegExp = new RegExp(`^${bounded(LONG_VALUE)}$`);

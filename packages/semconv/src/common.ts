/** Names of the core conventions. The stable ones are literals too: loading the package costs an app 20 ms. */

/** On every span of a session. */
export const ATTR_SESSION_ID = "session.id";
/** Whom the program names as its user. */
export const ATTR_USER_ID = "user.id";
/** How often the request was sent again, from 1; absent for the first attempt. */
export const ATTR_HTTP_REQUEST_RESEND_COUNT = "http.request.resend_count";
/** A number: 200, 429 … */
export const ATTR_HTTP_RESPONSE_STATUS_CODE = "http.response.status_code";
/** A string array, by the rule `http.response.header.<name>`. */
export const ATTR_X_REQUEST_ID = "http.response.header.x-request-id";
/** Before a header's name in lower case; the value is a list of texts. */
export const HTTP_RESPONSE_HEADER_PREFIX = "http.response.header.";
/** The path with placeholders: `/responses/{id}`. */
export const ATTR_URL_TEMPLATE = "url.template";
/** In upper case. */
export const ATTR_HTTP_REQUEST_METHOD = "http.request.method";
/** The class of an error, or its status code as text; present on failures only. */
export const ATTR_ERROR_TYPE = "error.type";
export const ATTR_ERROR_MESSAGE = "error.message";
/** On `exception` events: the message, content. */
export const ATTR_EXCEPTION_MESSAGE = "exception.message";
/** On `exception` events: the stack as the runtime prints it. */
export const ATTR_EXCEPTION_STACKTRACE = "exception.stacktrace";
/** On `exception` events: the class. */
export const ATTR_EXCEPTION_TYPE = "exception.type";
/** The host that was called, without port. */
export const ATTR_SERVER_ADDRESS = "server.address";
/** A number; absent where it is the protocol's own. */
export const ATTR_SERVER_PORT = "server.port";
/** Of a resource: one process; a parent of another instance makes a local root. */
export const ATTR_SERVICE_INSTANCE_ID = "service.instance.id";
/** Of a resource: the program. */
export const ATTR_SERVICE_NAME = "service.name";

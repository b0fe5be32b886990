/** Names of the core conventions. The stable ones are literals too: loading the package costs an app 20 ms. */

export const ATTR_SESSION_ID = "session.id";
export const ATTR_USER_ID = "user.id";
export const ATTR_HTTP_REQUEST_RESEND_COUNT = "http.request.resend_count";
export const ATTR_HTTP_RESPONSE_STATUS_CODE = "http.response.status_code";
/** A string array, by the rule `http.response.header.<name>`. */
export const ATTR_X_REQUEST_ID = "http.response.header.x-request-id";
export const HTTP_RESPONSE_HEADER_PREFIX = "http.response.header.";
export const ATTR_URL_TEMPLATE = "url.template";
export const ATTR_HTTP_REQUEST_METHOD = "http.request.method";
export const ATTR_ERROR_TYPE = "error.type";
export const ATTR_EXCEPTION_MESSAGE = "exception.message";
export const ATTR_EXCEPTION_STACKTRACE = "exception.stacktrace";
export const ATTR_EXCEPTION_TYPE = "exception.type";
export const ATTR_SERVER_ADDRESS = "server.address";
export const ATTR_SERVER_PORT = "server.port";
export const ATTR_SERVICE_INSTANCE_ID = "service.instance.id";
export const ATTR_SERVICE_NAME = "service.name";

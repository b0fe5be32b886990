/** Names of the core conventions that are not in the stable entry of the npm package. */

export const ATTR_SESSION_ID = "session.id";
export const ATTR_USER_ID = "user.id";
export const ATTR_HTTP_REQUEST_RESEND_COUNT = "http.request.resend_count";
export const ATTR_HTTP_RESPONSE_STATUS_CODE = "http.response.status_code";
/** A string array, by the rule `http.response.header.<name>`. */
export const ATTR_X_REQUEST_ID = "http.response.header.x-request-id";
export {
  ATTR_ERROR_TYPE,
  ATTR_EXCEPTION_MESSAGE,
  ATTR_EXCEPTION_STACKTRACE,
  ATTR_EXCEPTION_TYPE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
} from "@opentelemetry/semantic-conventions";

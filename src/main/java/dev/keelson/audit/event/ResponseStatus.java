package dev.keelson.audit.event;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The outcome of a request: the response code, and of a Status response its status, message, reason
 * and details.
 *
 * @param code the HTTP status code
 * @param json a metav1.Status without {@code kind} and {@code apiVersion}; not to be changed
 */
public record ResponseStatus(int code, byte[] json) {

  /** A response that is no Status. */
  public static ResponseStatus of(int code) {
    return new ResponseStatus(code, ascii("{\"metadata\":{},\"code\":" + code + '}'));
  }

  /** A status with a message. */
  public static ResponseStatus of(int code, String status, String message, String reason) {
    JsonBuffer json = new JsonBuffer(128).raw("{\"metadata\":{}");
    field(json, ",\"status\":", status);
    field(json, ",\"message\":", message);
    field(json, ",\"reason\":", reason);
    return new ResponseStatus(
        code, json.raw(",\"code\":").raw(Integer.toString(code)).raw("}").toBytes());
  }

  /**
   * The status of a response with a body.
   *
   * @param body the JSON of the response; only an object of kind Status is read further than its
   *     head
   */
  public static ResponseStatus of(int code, byte[] body) {
    Optional<byte[]> status = JsonDocument.statusFields(body);
    return status.map(json -> new ResponseStatus(code, json)).orElseGet(() -> of(code));
  }

  /** The same with another message, if it has one, and without details. */
  public ResponseStatus withMessage(String message) {
    return JsonDocument.text(json, "message").isEmpty()
        ? of(code)
        : of(code, JsonDocument.text(json, "status"), message, JsonDocument.text(json, "reason"));
  }

  private static void field(JsonBuffer json, String key, String value) {
    if (!value.isEmpty()) {
      json.raw(key).string(value);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

package dev.keelson.http.health;

import java.util.Map;

/**
 * A short text response.
 *
 * @param status the HTTP status code
 * @param headers headers by name, Content-Type among them
 * @param body the body
 */
public record TextResponse(int status, Map<String, String> headers, String body) {

  private static final Map<String, String> PLAIN =
      Map.of(
          "Content-Type", "text/plain; charset=utf-8",
          "X-Content-Type-Options", "nosniff",
          "Cache-Control", "no-cache, private");

  public TextResponse {
    headers = Map.copyOf(headers);
  }

  /** Plain text with nosniff. */
  static TextResponse plain(int status, String body) {
    return new TextResponse(status, PLAIN, body);
  }

  static TextResponse of(String contentType, String body) {
    return new TextResponse(
        200, Map.of("Content-Type", contentType, "Cache-Control", "no-cache, private"), body);
  }
}

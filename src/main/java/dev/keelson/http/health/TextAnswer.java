package dev.keelson.http.health;

import java.util.Map;

/**
 * A short answer.
 *
 * @param status the HTTP status code
 * @param headers headers by name, Content-Type among them
 * @param body the body
 */
public record TextAnswer(int status, Map<String, String> headers, String body) {

  private static final Map<String, String> PLAIN =
      Map.of(
          "Content-Type", "text/plain; charset=utf-8",
          "X-Content-Type-Options", "nosniff",
          "Cache-Control", "no-cache, private");

  public TextAnswer {
    headers = Map.copyOf(headers);
  }

  /** Plain text that no browser takes for anything else. */
  static TextAnswer plain(int status, String body) {
    return new TextAnswer(status, PLAIN, body);
  }

  static TextAnswer of(String contentType, String body) {
    return new TextAnswer(
        200, Map.of("Content-Type", contentType, "Cache-Control", "no-cache, private"), body);
  }
}

package dev.keelson.http.node;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A query as it is sent: encoded as a form (source: Go's {@code url.Values.Encode}). */
final class QueryText {

  private final StringBuilder text = new StringBuilder();

  void add(String name, String value) {
    text.append(text.isEmpty() ? "" : "&")
        .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
        .append('=')
        .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
  }

  /** The pairs, or empty. */
  @Override
  public String toString() {
    return text.toString();
  }
}

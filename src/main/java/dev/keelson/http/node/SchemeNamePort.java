package dev.keelson.http.node;

import java.util.Optional;

/**
 * A name with a scheme and a port, as the proxy subresources take it: {@code name}, {@code
 * name:port} or {@code scheme:name:port} (source: apimachinery's {@code SplitSchemeNamePort}).
 *
 * @param scheme {@code http}, {@code https} or empty
 * @param port a number or a name; empty for none
 */
record SchemeNamePort(String scheme, String name, String port) {

  /** Splits a name; empty if it has another form. */
  static Optional<SchemeNamePort> split(String id) {
    String[] parts = id.split(":", -1);
    SchemeNamePort found =
        switch (parts.length) {
          case 1 -> new SchemeNamePort("", parts[0], "");
          case 2 -> new SchemeNamePort("", parts[0], parts[1]);
          case 3 -> new SchemeNamePort(parts[0], parts[1], parts[2]);
          default -> new SchemeNamePort("", "", "");
        };
    boolean known =
        found.scheme.isEmpty() || found.scheme.equals("http") || found.scheme.equals("https");
    return known && !found.name.isEmpty() ? Optional.of(found) : Optional.empty();
  }

  /** Whether TLS is asked for. */
  boolean secure() {
    return scheme.equals("https");
  }
}

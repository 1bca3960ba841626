package dev.keelson.http.relay;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.request.Span;
import dev.keelson.request.Spans;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The headers that pass between a client and another server: none of a single connection, and no
 * credential of the client (source: Go's {@code httputil.ReverseProxy}).
 */
public final class PassedHeaders {

  /** The prefix of the WebSocket subprotocol that carries a bearer token. */
  private static final String TOKEN_PROTOCOL = "base64url.bearer.authorization.k8s.io.";

  private static final String PROTOCOLS = "sec-websocket-protocol";

  /** Of one connection (RFC 9110, section 7.6.1), and what HTTP clients set themselves. */
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "proxy-connection",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final Set<String> OF_THE_CLIENT =
      Set.of("authorization", "cookie", "host", "expect", "http2-settings", "audit-id");

  private static final List<String> IDENTITY_PREFIXES =
      List.of(
          "x-remote-", "impersonate-", "x-forwarded-uri", "x-forwarded-host", "x-forwarded-proto");

  private PassedHeaders() {}

  /**
   * The client's headers as they pass to the server, with the trace of the request if this server
   * traces it.
   *
   * @param upgrade whether the request asks for another protocol
   */
  public static MultiMap request(ApiRequest request, boolean upgrade) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    Set<String> named = namedByConnection(request.headers().getOrDefault("connection", List.of()));
    request
        .headers()
        .forEach(
            (name, values) -> {
              if (passes(name, named)) {
                values.forEach(value -> headers.add(name, value));
              }
            });
    withoutTokens(headers);
    if (upgrade) {
      headers.set("Connection", "Upgrade").set("Upgrade", request.header("upgrade"));
    }
    Span traced = Spans.current();
    if (traced != null) {
      traced.propagate(headers::set);
    }
    return headers;
  }

  /** Adds the client's address to those that the request has passed. */
  public static void forwardedFor(MultiMap headers, ApiRequest request) {
    String before = String.join(", ", headers.getAll("x-forwarded-for"));
    String client = host(request.remoteAddress());
    headers.set("X-Forwarded-For", before.isEmpty() ? client : before + ", " + client);
  }

  private static boolean passes(String name, Set<String> named) {
    return !name.startsWith(":")
        && !HOP_BY_HOP.contains(name)
        && !OF_THE_CLIENT.contains(name)
        && !named.contains(name)
        && IDENTITY_PREFIXES.stream().noneMatch(name::startsWith);
  }

  /** Headers of one connection, by the header Connection itself. */
  private static Set<String> namedByConnection(List<String> values) {
    Set<String> names = new HashSet<>();
    for (String value : values) {
      for (String name : value.split(",", -1)) {
        names.add(name.strip().toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  private static void withoutTokens(MultiMap headers) {
    List<String> offered = headers.getAll(PROTOCOLS);
    if (offered.stream().anyMatch(line -> line.contains(TOKEN_PROTOCOL))) {
      List<String> others =
          offered.stream()
              .flatMap(line -> Arrays.stream(line.split(",", -1)))
              .map(String::strip)
              .filter(protocol -> !protocol.startsWith(TOKEN_PROTOCOL))
              .toList();
      headers.remove(PROTOCOLS);
      if (!others.isEmpty()) {
        headers.set(PROTOCOLS, String.join(", ", others));
      }
    }
  }

  private static String host(String address) {
    int colon = address.lastIndexOf(':');
    String host = colon < 0 ? address : address.substring(0, colon);
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /** The headers of a response that pass to the client. */
  public static List<Header> response(
      Iterable<Map.Entry<String, String>> headers, boolean upgraded) {
    List<String> connection = new ArrayList<>();
    for (Map.Entry<String, String> header : headers) {
      if (header.getKey().equalsIgnoreCase("connection")) {
        connection.add(header.getValue());
      }
    }
    Set<String> named = upgraded ? Set.of() : namedByConnection(connection);
    List<Header> passed = new ArrayList<>();
    for (Map.Entry<String, String> header : headers) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      boolean ofConnection = HOP_BY_HOP.contains(name) || named.contains(name);
      boolean switching = upgraded && (name.equals("connection") || name.equals("upgrade"));
      // the server's own stands for both
      if ((!ofConnection || switching) && !name.equals("audit-id")) {
        passed.add(new Header(header.getKey(), header.getValue()));
      }
    }
    return passed;
  }
}

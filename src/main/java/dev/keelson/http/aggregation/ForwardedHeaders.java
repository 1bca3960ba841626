package dev.keelson.http.aggregation;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.request.UserInfo;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The headers that pass between a client and a remote API server: none of a single connection, no
 * credential of the client, and the user in those of a front proxy (source: client-go's {@code
 * SetAuthProxyHeaders}, Go's {@code httputil.ReverseProxy}).
 */
final class ForwardedHeaders {

  private static final String USER = "X-Remote-User";
  private static final String UID = "X-Remote-Uid";
  private static final String GROUP = "X-Remote-Group";
  private static final String EXTRA = "X-Remote-Extra-";

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

  /** The letters of a header name (RFC 9110, section 5.6.2) but for digits and the alphabet. */
  private static final String TOKEN_MARKS = "!#$&'*+-.^_`|~";

  private ForwardedHeaders() {}

  /**
   * The headers of the request to the remote server.
   *
   * @param upgrade whether the request asks for another protocol
   */
  static MultiMap request(ApiRequest request, UserInfo user, String auditId, boolean upgrade) {
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
    identity(headers, user);
    forwarded(headers, request);
    return headers.set("Audit-Id", auditId);
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

  /** The user as a front proxy names it. */
  static void identity(MultiMap headers, UserInfo user) {
    headers.set(USER, bytes(user.name()));
    if (!user.uid().isEmpty()) {
      headers.set(UID, bytes(user.uid()));
    }
    user.groups().forEach(group -> headers.add(GROUP, bytes(group)));
    for (String key : new TreeSet<>(user.extra().keySet())) {
      List<String> values = user.extra().getOrDefault(key, List.of());
      values.forEach(value -> headers.add(EXTRA + escaped(key), bytes(value)));
    }
  }

  /** UTF-8 as Netty writes it: one character a byte. */
  private static String bytes(String text) {
    if (text.chars().anyMatch(letter -> letter < ' ' || letter == 0x7f)) {
      throw new ApiException(
          Reason.SERVICE_UNAVAILABLE,
          "error trying to reach service: the user's name or attributes have control characters");
    }
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** A key as part of a header's name: what may not stand in one is percent-encoded. */
  private static String escaped(String key) {
    StringBuilder escaped = new StringBuilder(key.length());
    for (byte each : key.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (each & 0xff);
      boolean plain =
          (letter >= '0' && letter <= '9')
              || (letter >= 'a' && letter <= 'z')
              || (letter >= 'A' && letter <= 'Z')
              || TOKEN_MARKS.indexOf(letter) >= 0;
      if (plain) {
        escaped.append(letter);
      } else {
        escaped.append(String.format(Locale.ROOT, "%%%02X", (int) letter));
      }
    }
    return escaped.toString();
  }

  private static void forwarded(MultiMap headers, ApiRequest request) {
    String before = String.join(", ", headers.getAll("x-forwarded-for"));
    String client = host(request.remoteAddress());
    headers.set("X-Forwarded-For", before.isEmpty() ? client : before + ", " + client);
    headers.set("X-Forwarded-Proto", "https");
    headers.set("X-Forwarded-Uri", EscapedPath.of(request.path()));
    String host = request.header("host");
    if (!host.isEmpty()) {
      headers.set("X-Forwarded-Host", host);
    }
  }

  private static String host(String address) {
    int colon = address.lastIndexOf(':');
    String host = colon < 0 ? address : address.substring(0, colon);
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /** The headers of a response that pass to the client. */
  static List<Header> response(Iterable<Map.Entry<String, String>> headers, boolean upgraded) {
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

package dev.keelson.http.aggregation;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.relay.EscapedPath;
import dev.keelson.http.relay.PassedHeaders;
import dev.keelson.request.UserInfo;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
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

  /** The letters of a header name (RFC 9110, section 5.6.2) but for digits and the alphabet. */
  private static final String TOKEN_MARKS = "!#$&'*+-.^_`|~";

  private ForwardedHeaders() {}

  /**
   * The headers of the request to the remote server.
   *
   * @param upgrade whether the request asks for another protocol
   */
  static MultiMap request(ApiRequest request, UserInfo user, String auditId, boolean upgrade) {
    MultiMap headers = PassedHeaders.request(request, upgrade);
    identity(headers, user);
    forwarded(headers, request);
    return headers.set("Audit-Id", auditId);
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
    PassedHeaders.forwardedFor(headers, request);
    headers.set("X-Forwarded-Proto", "https");
    headers.set("X-Forwarded-Uri", EscapedPath.of(request.path()));
    String host = request.header("host");
    if (!host.isEmpty()) {
      headers.set("X-Forwarded-Host", host);
    }
  }
}

package dev.keelson.http.console;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse.Header;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The sessions of browsers. A session is the user's bearer token in encrypted cookies, so that
 * every server of a store knows it, none keeps anything, and no script can read the token. A
 * request of the console is authenticated by the token, as if it had been sent in Authorization.
 *
 * <p>Browsers send cookies with requests that other sites cause. A session therefore only counts
 * for requests with {@link #HEADER}, which a page of another origin cannot set without a preflight
 * request that is refused, and never if the browser says that another site made the request (Fetch
 * Metadata). The cookies are {@code SameSite=Strict} and {@code __Host-} as well (RFC 6265bis).
 */
public final class ConsoleSessions {

  /** The header of the requests of the console, with any value. */
  public static final String HEADER = "X-Keelson-Console";

  /** How long a user stays signed in; a token that expires before ends the session with it. */
  public static final Duration LIFETIME = Duration.ofHours(8);

  /** Maximum length of a token: browsers keep 4096 bytes a cookie. */
  static final int MOST_TOKEN = 8 * 1024;

  private static final String NAME = "__Host-keelson-console-";
  private static final int COOKIES = 4;
  private static final int COOKIE_LENGTH = 3600;
  private static final String ATTRIBUTES = "; Path=/; Secure; HttpOnly; SameSite=Strict";

  private final SealedText seal;

  /**
   * @param secret the key of all sessions, the same on every server of a store; read on use
   */
  public ConsoleSessions(Supplier<byte[]> secret, SecureRandom random, InstantSource clock) {
    seal = new SealedText(secret, "console session", random, clock);
  }

  /**
   * The values of the Authorization header as the authenticators see them: those that were sent, or
   * the token of the session. Empty if the request is of a session that has ended, which is not
   * anonymous.
   */
  public Optional<List<String>> authorization(ApiRequest request) {
    List<String> sent = request.headerValues("Authorization");
    if (!sent.isEmpty() || request.header(HEADER).isEmpty() || isOfAnotherSite(request)) {
      return Optional.of(sent);
    }
    String sealed = sealed(request);
    return sealed.isEmpty()
        ? Optional.of(sent)
        : seal.open(sealed).map(token -> List.of("Bearer " + token));
  }

  /** The headers that begin a session. */
  List<Header> begin(String token) {
    String sealed = seal.seal(token, LIFETIME);
    List<Header> cookies = new ArrayList<>();
    for (int i = 0; i < COOKIES; i++) {
      int begin = Math.min(sealed.length(), i * COOKIE_LENGTH);
      int end = Math.min(sealed.length(), begin + COOKIE_LENGTH);
      cookies.add(
          begin == end
              ? removed(i)
              : cookie(i, sealed.substring(begin, end), LIFETIME.toSeconds()));
    }
    return cookies;
  }

  /** The headers that end a session. */
  static List<Header> end() {
    List<Header> cookies = new ArrayList<>();
    for (int i = 0; i < COOKIES; i++) {
      cookies.add(removed(i));
    }
    return cookies;
  }

  /** Whether the browser says that a page of another origin made the request. */
  static boolean isOfAnotherSite(ApiRequest request) {
    String site = request.header("Sec-Fetch-Site");
    return !site.isEmpty() && !site.equals("same-origin");
  }

  private static Header removed(int number) {
    return cookie(number, "", 0);
  }

  private static Header cookie(int number, String value, long seconds) {
    return new Header(
        "Set-Cookie", NAME + number + "=" + value + ATTRIBUTES + "; Max-Age=" + seconds);
  }

  /** What the cookies hold, empty if there are none. */
  private static String sealed(ApiRequest request) {
    Map<String, String> parts = new HashMap<>();
    for (String line : request.headerValues("Cookie")) {
      for (String pair : line.split(";", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          parts.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
        }
      }
    }
    StringBuilder sealed = new StringBuilder();
    for (int i = 0; i < COOKIES; i++) {
      sealed.append(parts.getOrDefault(NAME + i, ""));
    }
    return sealed.toString();
  }
}

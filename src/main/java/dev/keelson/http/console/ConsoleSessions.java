package dev.keelson.http.console;

import dev.keelson.cache.ExpiringCache;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse.Header;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
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

  /** Maximum length of a session as text, which fills the cookies. */
  private static final int MOST_SESSION = 10 * 1024;

  /** Sessions that ended on this server and whose cookies may have been copied. */
  private static final int MOST_ENDED = 16 * 1024;

  private static final String NAME = "__Host-keelson-console-";
  private static final int COOKIES = 4;
  private static final int COOKIE_LENGTH = 3600;
  private static final String ATTRIBUTES = "; Path=/; Secure; HttpOnly; SameSite=Strict";

  private final SealedText seal;
  private final SecureRandom random;
  private final InstantSource clock;
  private final ExpiringCache<String, Boolean> ended;

  /**
   * A session.
   *
   * @param id a random text, the same until the session ends
   * @param end when it ends, in whole seconds
   * @param token the bearer token of the user
   * @param refresh the refresh token of a login at a provider; empty without one
   * @param issuer the issuer of a login at a provider; empty without one
   */
  record Session(String id, Instant end, String token, String refresh, String issuer) {

    /** The same session with newer tokens. */
    Session with(String newer, String refreshed) {
      return new Session(id, end, newer, refreshed, issuer);
    }

    /** Tokens and issuers have no line breaks ({@code SessionHandler}, RFC 6749, appendix A). */
    String text() {
      return String.join("\n", id, Long.toString(end.getEpochSecond()), token, refresh, issuer);
    }

    static Session of(String text) {
      String[] lines = text.split("\n", -1);
      return new Session(
          lines[0], Instant.ofEpochSecond(Long.parseLong(lines[1])), lines[2], lines[3], lines[4]);
    }
  }

  /**
   * @param secret the key of all sessions, the same on every server of a store; read on use
   */
  public ConsoleSessions(Supplier<byte[]> secret, SecureRandom random, InstantSource clock) {
    // the text has changed: cookies of an earlier version are not opened
    seal = new SealedText(secret, "console session 2", random, clock);
    this.random = random;
    this.clock = clock;
    this.ended = new ExpiringCache<>(MOST_ENDED, clock);
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
    return sealed(request).isEmpty()
        ? Optional.of(sent)
        : find(request).map(session -> List.of("Bearer " + session.token()));
  }

  /** The session of a request; empty if it has none, or one that has ended. */
  Optional<Session> find(ApiRequest request) {
    return seal.open(sealed(request))
        .map(Session::of)
        .filter(session -> ended.get(session.id()).isEmpty());
  }

  /**
   * A new session.
   *
   * @param refresh empty if the token cannot be refreshed
   * @param issuer empty if the user has not logged in at a provider
   */
  Session create(String token, String refresh, String issuer) {
    byte[] id = new byte[16];
    random.nextBytes(id);
    return new Session(
        Base64.getUrlEncoder().withoutPadding().encodeToString(id),
        clock.instant().plus(LIFETIME).truncatedTo(ChronoUnit.SECONDS),
        token,
        refresh,
        issuer);
  }

  /** Whether a browser can keep the session. */
  static boolean fits(Session session) {
    return session.text().length() <= MOST_SESSION;
  }

  /** The headers that begin a session, or give it newer tokens. */
  List<Header> cookies(Session session) {
    Duration left = Duration.between(clock.instant(), session.end());
    String sealed = seal.seal(session.text(), left);
    List<Header> cookies = new ArrayList<>();
    for (int i = 0; i < COOKIES; i++) {
      int begin = Math.min(sealed.length(), i * COOKIE_LENGTH);
      int end = Math.min(sealed.length(), begin + COOKIE_LENGTH);
      cookies.add(
          begin == end ? removed(i) : cookie(i, sealed.substring(begin, end), left.toSeconds()));
    }
    return cookies;
  }

  /**
   * The headers that end a session. This server does not take its cookies any more, where they have
   * been copied; other servers of the store do, until the token expires.
   */
  List<Header> end(ApiRequest request) {
    find(request)
        .ifPresent(
            session ->
                ended.put(session.id(), true, Duration.between(clock.instant(), session.end())));
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
    Map<String, String> parts = Cookies.of(request);
    StringBuilder sealed = new StringBuilder();
    for (int i = 0; i < COOKIES; i++) {
      sealed.append(parts.getOrDefault(NAME + i, ""));
    }
    return sealed.toString();
  }
}

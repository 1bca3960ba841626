package dev.keelson.http.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Query;
import dev.keelson.testing.ManualClock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsoleSessionsTest {

  private static final String TOKEN = "eyJhbGciOi.payload.signature";

  private final ManualClock clock = new ManualClock();
  private final ConsoleSessions sessions = of("a key of this store");

  private ConsoleSessions of(String secret) {
    return new ConsoleSessions(secret::getBytes, new SecureRandom(), clock);
  }

  @Test
  void requestOfTheConsole_hasTheTokenOfItsSession() {
    assertThat(sessions.authorization(request(cookies(TOKEN), Map.of())))
        .contains(List.of("Bearer " + TOKEN));
  }

  /** Browsers keep 4096 bytes of a cookie; tokens with many groups are longer. */
  @Test
  void longToken_isInSeveralCookies() {
    String token = "x".repeat(ConsoleSessions.MOST_TOKEN);

    assertThat(sessions.cookies(sessions.create(token, "", "")))
        .allMatch(cookie -> cookie.value().length() < 4096);
    assertThat(sessions.authorization(request(cookies(token), Map.of())))
        .contains(List.of("Bearer " + token));
  }

  @Test
  void cookies_areOutOfReachOfScriptsAndOtherSites() {
    assertThat(sessions.cookies(sessions.create(TOKEN, "", "")))
        .allMatch(cookie -> cookie.value().startsWith("__Host-"))
        .allMatch(cookie -> cookie.value().contains("; Path=/; Secure; HttpOnly; SameSite=Strict"))
        .noneMatch(cookie -> cookie.value().contains(TOKEN));
  }

  @Test
  void withoutTheHeader_theSessionDoesNotCount() {
    ApiRequest forged =
        plain(Map.of("cookie", List.of(cookies(TOKEN)), "sec-fetch-site", List.of("none")));

    assertThat(sessions.authorization(forged)).contains(List.of());
  }

  @Test
  void requestOfAnotherSite_hasNoSession() {
    for (String site : List.of("cross-site", "same-site", "none")) {
      assertThat(sessions.authorization(request(cookies(TOKEN), Map.of("sec-fetch-site", site))))
          .as(site)
          .contains(List.of());
    }
    assertThat(
            sessions.authorization(
                request(cookies(TOKEN), Map.of("sec-fetch-site", "same-origin"))))
        .contains(List.of("Bearer " + TOKEN));
  }

  @Test
  void authorizationThatIsSent_precedesTheSession() {
    assertThat(
            sessions.authorization(
                request(cookies(TOKEN), Map.of("authorization", "Bearer other"))))
        .contains(List.of("Bearer other"));
  }

  @Test
  void sessionThatIsOver_isNotAnonymous() {
    String cookies = cookies(TOKEN);
    clock.advance(ConsoleSessions.LIFETIME.minus(Duration.ofSeconds(1)));
    assertThat(sessions.authorization(request(cookies, Map.of()))).isPresent();

    clock.advance(Duration.ofSeconds(1));

    assertThat(sessions.authorization(request(cookies, Map.of()))).isEmpty();
  }

  /** Somebody may have copied the cookies before the user signed out. */
  @Test
  void sessionThatWasEnded_isNotAnonymous() {
    ApiRequest request = request(cookies(TOKEN), Map.of());

    assertThat(sessions.end(request)).allMatch(cookie -> cookie.value().contains("Max-Age=0"));

    assertThat(sessions.authorization(request)).isEmpty();
    assertThat(sessions.authorization(request(cookies(TOKEN), Map.of()))).isPresent();
  }

  /** Keeps a user from staying signed in for ever by newer tokens. */
  @Test
  void newerTokens_doNotProlongTheSession() {
    ConsoleSessions.Session begun = sessions.create(TOKEN, "refresh", "https://issuer");
    clock.advance(Duration.ofHours(7));

    assertThat(sessions.cookies(begun.with("newer", "")))
        .anyMatch(cookie -> cookie.value().matches(".*; Max-Age=3(600|599)"));
  }

  @Test
  void changedOrForeignCookie_opensNothing() {
    String cookies = cookies(TOKEN);
    int at = cookies.lastIndexOf('=') + 30;
    String changed =
        cookies.substring(0, at)
            + (cookies.charAt(at) == 'A' ? 'B' : 'A')
            + cookies.substring(at + 1);

    assertThat(sessions.authorization(request(changed, Map.of()))).isEmpty();
    assertThat(sessions.authorization(request("__Host-keelson-console-0=!", Map.of()))).isEmpty();
    assertThat(sessions.authorization(request("__Host-keelson-console-0=AAAA", Map.of())))
        .isEmpty();
    assertThat(of("another store").authorization(request(cookies, Map.of()))).isEmpty();
  }

  @Test
  void noSession_isAsSent() {
    assertThat(sessions.authorization(request("theme=dark; x", Map.of()))).contains(List.of());
  }

  /** What a browser sends after it was told to keep the cookies of a new session. */
  private String cookies(String token) {
    StringBuilder sent = new StringBuilder("theme=dark");
    for (Header cookie : sessions.cookies(sessions.create(token, "", ""))) {
      String pair = cookie.value().substring(0, cookie.value().indexOf(';'));
      if (!pair.endsWith("=")) {
        sent.append("; ").append(pair);
      }
    }
    return sent.toString();
  }

  private static ApiRequest request(String cookies, Map<String, String> others) {
    Map<String, List<String>> headers = new HashMap<>();
    headers.put("cookie", List.of(cookies));
    headers.put("x-keelson-console", List.of("1"));
    others.forEach((name, value) -> headers.put(name, List.of(value)));
    return plain(headers);
  }

  private static ApiRequest plain(Map<String, List<String>> headers) {
    return new ApiRequest("GET", "/api", Query.NONE, headers, new byte[0], List.of(), "client");
  }
}

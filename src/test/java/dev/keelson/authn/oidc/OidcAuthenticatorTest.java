package dev.keelson.authn.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.RemoteService;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class OidcAuthenticatorTest {

  private static IdentityProvider first;
  private static IdentityProvider second;

  private final ManualClock clock = new ManualClock();
  private final List<String> parsed = new ArrayList<>();
  private OidcAuthenticator issuers;

  @BeforeAll
  static void open() {
    first = new IdentityProvider();
    first.key("one", "EC");
    second = new IdentityProvider();
    second.key("two", "EC");
  }

  @BeforeEach
  void issuers() {
    issuers = new OidcAuthenticator(List.of(tokens(first), tokens(second)), this::parse, clock);
  }

  @AfterAll
  static void close() {
    first.close();
    second.close();
  }

  @Test
  void token_isForTheIssuerThatItNames() {
    assertThat(name(shown(token(first, "one", "ann")))).isEqualTo(first.url() + "#ann");
    assertThat(name(shown(token(second, "two", "bob")))).isEqualTo(second.url() + "#bob");
    assertThat(shown(first.token("one", "ES256", claims(second, "ann"))))
        .isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void rememberedToken_isNotParsedAgain_untilTheMemoryEnds() {
    String known = token(first, "one", "ann");
    String other = first.token("one", "ES256", first.claims(clock.instant(), Map.of("iss", "x")));

    for (int i = 0; i < 3; i++) {
      assertThat(shown(known)).isInstanceOf(Authentication.Authenticated.class);
      assertThat(shown(other)).isEqualTo(new Authentication.NoOpinion());
      assertThat(shown("opaque")).isEqualTo(new Authentication.NoOpinion());
    }
    assertThat(parsed).containsExactly(known, other, "opaque");

    clock.advance(Duration.ofSeconds(61));
    shown(known);
    shown(other);
    assertThat(parsed).containsExactly(known, other, "opaque", known, other);
  }

  @Test
  void wrongToken_isJudgedEachTime() {
    String wrong = first.token("one", "ES256", claims(second, "ann"));

    assertThat(shown(wrong)).isInstanceOf(Authentication.Rejected.class);
    assertThat(shown(wrong)).isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void memory_hasABound() {
    for (int i = 0; i <= OidcAuthenticator.MAX_CACHED; i++) {
      shown("opaque-" + i);
    }
    parsed.clear();

    for (int i = 0; i <= OidcAuthenticator.MAX_CACHED; i++) {
      shown("opaque-" + i);
    }

    assertThat(parsed).isNotEmpty();
  }

  @Test
  void noIssuers_parseNothing() {
    OidcAuthenticator none = new OidcAuthenticator(List.of(), this::parse, clock);

    assertThat(none.authenticate(Credentials.ofToken(token(first, "one", "ann"), List.of())))
        .isEqualTo(new Authentication.NoOpinion());
    assertThat(parsed).isEmpty();
  }

  private Optional<Jwt> parse(String token) {
    parsed.add(token);
    return Jwt.parse(token);
  }

  private Authentication shown(String token) {
    return issuers.authenticate(Credentials.ofToken(token, List.of()));
  }

  private static String name(Authentication known) {
    return ((Authentication.Authenticated) known).user().name();
  }

  private String token(IdentityProvider provider, String key, String user) {
    return provider.token(key, "ES256", claims(provider, user));
  }

  private Map<String, Object> claims(IdentityProvider provider, String user) {
    return provider.claims(clock.instant(), Map.of("sub", user));
  }

  private OidcIssuerAuthenticator tokens(IdentityProvider provider) {
    OidcOptions options =
        new OidcOptions(
            provider.url(), "kubernetes", null, "sub", null, "", "", Map.of(), Jwt.ASYMMETRIC);
    return new OidcIssuerAuthenticator(
        options.issuer(), new RemoteService(provider::trust, Map.of()), IssuerMetrics.NONE, clock);
  }
}

package dev.keelson.authn.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.RemoteService;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.ManualClock;
import dev.keelson.webhook.RetryBackoff;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class WebhookTokenAuthenticatorTest {

  private static final String KNOWN =
      "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"ann\",\"uid\":\"7\","
          + "\"groups\":[\"dev\"],\"extra\":{\"k\":[\"v\"]}}}}";
  private static final UserInfo ANN =
      new UserInfo("ann", "7", List.of("dev"), Map.of("k", List.of("v")));

  private static IdentityProvider server;

  private final ManualClock clock = new ManualClock();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicReference<String> sent = new AtomicReference<>("");

  @BeforeAll
  static void open() {
    server = new IdentityProvider();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta1"})
  void knownToken_isTheUserThatTheServiceNames(String version) {
    answer(KNOWN);

    assertThat(tokens(version).authenticate(Credentials.ofToken("t", List.of())))
        .isEqualTo(new Authentication.Authenticated(ANN, List.of("api")));
    assertThat(sent.get())
        .contains(
            "\"kind\":\"TokenReview\"",
            "\"apiVersion\":\"authentication.k8s.io/" + version + "\"",
            "\"spec\":{\"token\":\"t\",\"audiences\":[\"api\"]}");
  }

  @Test
  void answer_holdsForItsTime() {
    answer(KNOWN);
    WebhookTokenAuthenticator tokens = tokens("v1");

    assertThat(tokens.authenticate(Credentials.ofToken("t", List.of())))
        .isEqualTo(tokens.authenticate(Credentials.ofToken("t", List.of())));
    assertThat(asked).hasValue(1);

    clock.advance(Duration.ofSeconds(121));
    assertThat(tokens.authenticate(Credentials.ofToken("t", List.of())))
        .isInstanceOf(Authentication.Authenticated.class);
    assertThat(asked).hasValue(2);
  }

  @Test
  void audiences_thatTheServiceDoesNotName_areNotMeant() {
    answer(KNOWN.replace("\"user\"", "\"audiences\":[\"vault\"],\"user\""));

    assertThat(tokens("v1").authenticate(Credentials.ofToken("t", List.of())))
        .isEqualTo(new Authentication.NoOpinion());
    assertThat(tokens("v1").authenticate(Credentials.ofToken("t", List.of("vault", "x"))))
        .isEqualTo(new Authentication.Authenticated(ANN, List.of("vault")));
  }

  @Test
  void unknownToken_isLeftToOthers() {
    answer("{\"status\":{\"authenticated\":false}}");

    assertThat(tokens("v1").authenticate(Credentials.ofToken("t", List.of())))
        .isEqualTo(new Authentication.NoOpinion());
  }

  @Test
  void serviceThatFails_rejects_andIsAskedAgain() {
    server.path("/review", exchange -> count(null));
    WebhookTokenAuthenticator tokens = tokens("v1");
    assertThat(tokens.authenticate(Credentials.ofToken("t", List.of())))
        .isInstanceOf(Authentication.Rejected.class);
    assertThat(asked).hasValue(5);

    answer(KNOWN);

    assertThat(tokens.authenticate(Credentials.ofToken("t", List.of())))
        .isInstanceOf(Authentication.Authenticated.class);
  }

  @Test
  void errorOfTheService_rejects_andIsNotKept() {
    answer("{\"status\":{\"authenticated\":false,\"error\":\"no database\"}}");
    WebhookTokenAuthenticator tokens = tokens("v1");
    assertThat(tokens.authenticate(Credentials.ofToken("t", List.of())))
        .isEqualTo(new Authentication.Rejected("token review: no database"));

    answer(KNOWN);

    assertThat(tokens.authenticate(Credentials.ofToken("t", List.of())))
        .isInstanceOf(Authentication.Authenticated.class);
  }

  @Test
  void connectionThatEndsWithoutAnAnswer_isTriedAgain() {
    server.path(
        "/review",
        exchange -> {
          if (asked.incrementAndGet() == 1) {
            throw new UncheckedIOException(new IOException("cut"));
          }
          return KNOWN;
        });

    assertThat(tokens("v1").authenticate(Credentials.ofToken("t", List.of())))
        .isInstanceOf(Authentication.Authenticated.class);
    assertThat(asked).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello",
        "{\"status\":{\"authenticated\":true}}",
        "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"a\",\"groups\":[1]}}}"
      })
  void answer_thatMakesNoSense_rejects(String answer) {
    answer(answer);

    assertThat(tokens("v1").authenticate(Credentials.ofToken("t", List.of())))
        .isInstanceOf(Authentication.Rejected.class);
  }

  private void answer(String json) {
    server.path(
        "/review",
        exchange -> {
          try {
            sent.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return count(json);
        });
  }

  private @org.jspecify.annotations.Nullable String count(
      @org.jspecify.annotations.Nullable String answer) {
    asked.incrementAndGet();
    return answer;
  }

  private WebhookTokenAuthenticator tokens(String version) {
    RemoteService service = new RemoteService(server::trust, Map.of());
    return new WebhookTokenAuthenticator(
        new WebhookOptions(Path.of("config"), version, Duration.ofMinutes(2)),
        json -> service.post(URI.create(server.url() + "/review"), json),
        List.of("api"),
        new RetryBackoff(Duration.ofMillis(1), 5),
        clock);
  }
}

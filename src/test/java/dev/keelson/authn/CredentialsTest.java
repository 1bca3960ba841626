package dev.keelson.authn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CredentialsTest {

  private static final String PREFIX = "base64url.bearer.authorization.k8s.io.";

  @Test
  void subprotocol_besideAnother_carriesAToken() {
    assertThat(socket(PREFIX + encoded("abc") + ", v4.channel.k8s.io").bearerToken())
        .contains("abc");
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(PREFIX + encoded("abc"), "missing additional subprotocol"),
        Arguments.of(
            PREFIX + "%%%, v4.channel.k8s.io",
            "invalid base64.bearer.authorization token encoding"),
        Arguments.of(
            PREFIX + "YQ==, v4.channel.k8s.io",
            "invalid base64.bearer.authorization token encoding"),
        Arguments.of(PREFIX + "_w, v4.channel.k8s.io", "invalid base64.bearer.authorization token"),
        Arguments.of(
            PREFIX + encoded("a") + ", " + PREFIX + encoded("b") + ", v4.channel.k8s.io",
            "multiple base64.bearer.authorization tokens specified"),
        Arguments.of(PREFIX + ", v4.channel.k8s.io", ""),
        Arguments.of(PREFIX, ""),
        Arguments.of("v4.channel.k8s.io", ""));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void subprotocol_thatIsWrong_carriesNone(String protocols, String problem) {
    assertThat(socket(protocols).bearerToken()).isEmpty();
    assertThat(socket(protocols).problem()).isEqualTo(problem);
  }

  @Test
  void subprotocolWithAMalformedToken_isNotAnonymous() {
    UnionAuthenticator authenticators = new UnionAuthenticator(List.of(), true);

    assertThat(authenticators.authenticate(socket(PREFIX + "%%%, v4.channel.k8s.io")))
        .isEqualTo(
            new Authentication.Rejected("invalid base64.bearer.authorization token encoding"));
    assertThat(authenticators.authenticate(socket("v4.channel.k8s.io")))
        .isInstanceOf(Authentication.Authenticated.class);
  }

  @Test
  void subprotocol_withoutUpgrade_carriesNone() {
    Credentials plain =
        new Credentials(
            List.of(),
            List.of(),
            Map.of("sec-websocket-protocol", List.of(PREFIX + encoded("abc") + ", x")),
            List.of());

    assertThat(plain.bearerToken()).isEmpty();
  }

  private static Credentials socket(String protocols) {
    return new Credentials(
        List.of(),
        List.of(),
        Map.of("upgrade", List.of("websocket"), "sec-websocket-protocol", List.of(protocols)),
        List.of());
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}

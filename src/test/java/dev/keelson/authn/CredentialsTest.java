package dev.keelson.authn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CredentialsTest {

  private static final String PREFIX = "base64url.bearer.authorization.k8s.io.";

  @Test
  void subprotocol_besideAnother_carriesAToken() {
    assertThat(socket(PREFIX + encoded("abc") + ", v4.channel.k8s.io").bearerToken())
        .contains("abc");
  }

  static Stream<String> wrong() {
    return Stream.of(
        PREFIX + encoded("abc"),
        PREFIX + ", v4.channel.k8s.io",
        PREFIX + "%%%, v4.channel.k8s.io",
        PREFIX + encoded("a") + ", " + PREFIX + encoded("b") + ", v4.channel.k8s.io",
        "v4.channel.k8s.io");
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void subprotocol_thatIsWrong_carriesNone(String protocols) {
    assertThat(socket(protocols).bearerToken()).isEmpty();
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

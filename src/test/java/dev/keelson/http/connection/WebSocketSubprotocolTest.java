package dev.keelson.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketSubprotocolTest {

  private static final String HEADER = "Sec-WebSocket-Protocol";
  private static final String TOKEN = "base64url.bearer.authorization.k8s.io.c2VjcmV0";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one            | one
          one, two       | one
          %s, two        | two
          one, %s        | one
          %s,, two,three | two
          """)
  void choose_leavesTheFirstThatIsNoToken(String named, String chosen) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().add(HEADER, named.formatted(TOKEN));

    WebSocketSubprotocol.choose(headers);

    assertThat(headers.getAll(HEADER)).containsExactly(chosen);
  }

  @Test
  void choose_ofSeveralLines_leavesOne() {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().add(HEADER, TOKEN);
    headers.add(HEADER, "b").add(HEADER, "c");

    WebSocketSubprotocol.choose(headers);

    assertThat(headers.getAll(HEADER)).containsExactly("b");
  }

  @Test
  void choose_ofATokenAlone_leavesNone() {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().add(HEADER, TOKEN);

    WebSocketSubprotocol.choose(headers);

    assertThat(headers.contains(HEADER)).isFalse();
  }
}

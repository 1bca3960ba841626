package dev.keelson.registry.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContinueTokensTest {

  private static final ContinueTokens.Position POSITION =
      new ContinueTokens.Position(4711, bytes("/registry/pods/default/web"));

  private final ContinueTokens tokens = tokens("secret");

  @Test
  void token_givesBackWhatWasPutIn() {
    assertThat(tokens.decode(tokens.encode(POSITION))).isEqualTo(POSITION);
    ContinueTokens.Position newest =
        new ContinueTokens.Position(ContinueTokens.INCONSISTENT, bytes("/a\u00e9"));
    assertThat(tokens.decode(tokens.encode(newest))).isEqualTo(newest);
  }

  @Test
  void token_isSafeInAUrl() {
    assertThat(tokens.encode(POSITION)).matches("[A-Za-z0-9_-]+");
  }

  @Test
  void token_withAnyBitChanged_isForeign() {
    byte[] token = Base64.getUrlDecoder().decode(tokens.encode(POSITION));
    for (int at = 0; at < token.length; at++) {
      byte[] changed = token.clone();
      changed[at] ^= 1;
      assertForeign(Base64.getUrlEncoder().withoutPadding().encodeToString(changed));
    }
  }

  @Test
  void token_ofAnotherInstallation_isForeign() {
    assertForeign(tokens("other").encode(POSITION));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "????", "AAAA", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0"})
  void whatIsNoToken_isForeign(String text) {
    assertForeign(text);
  }

  private void assertForeign(String token) {
    assertThatThrownBy(() -> tokens.decode(token))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessageContaining("continue key is not valid");
  }

  private static ContinueTokens tokens(String secret) {
    return new ContinueTokens(() -> secret.getBytes(StandardCharsets.UTF_8));
  }

  private static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}

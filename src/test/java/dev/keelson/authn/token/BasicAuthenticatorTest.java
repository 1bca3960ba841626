package dev.keelson.authn.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.request.UserInfo;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BasicAuthenticatorTest {

  private static final BasicAuthenticator FILE =
      BasicAuthenticator.parse("s:cret,ann,1,\"dev,ops\"\n");

  @Test
  void nameAndPassword_areTheirUser() {
    assertThat(FILE.authenticate(basic("ann:s:cret")))
        .isEqualTo(
            new Authentication.Authenticated(
                new UserInfo("ann", "1", List.of("dev", "ops"), Map.of())));
  }

  @Test
  void wrongPassword_isRejected() {
    assertThat(FILE.authenticate(basic("ann:x"))).isInstanceOf(Authentication.Rejected.class);
    assertThat(FILE.authenticate(header("Basic %%%"))).isInstanceOf(Authentication.Rejected.class);
  }

  @Test
  void otherSchemes_areLeftToOthers() {
    assertThat(FILE.authenticate(header("Bearer x"))).isEqualTo(new Authentication.NoOpinion());
    assertThat(FILE.authenticate(Credentials.NONE)).isEqualTo(new Authentication.NoOpinion());
  }

  @Test
  void userTwice_isRefused() {
    assertThatThrownBy(() -> BasicAuthenticator.parse("a,ann,1\nb,ann,1\n"))
        .hasMessage("line 2: duplicate user");
  }

  private static Credentials basic(String pair) {
    return header(
        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
  }

  private static Credentials header(String value) {
    return new Credentials(List.of(value), List.of());
  }
}

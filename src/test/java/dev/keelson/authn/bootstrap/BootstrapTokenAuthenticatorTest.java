package dev.keelson.authn.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class BootstrapTokenAuthenticatorTest {

  private static final String TOKEN = "abcdef.0123456789abcdef";

  @TempDir private Path directory;
  private LocalApi api;

  @BeforeEach
  void open() {
    api = LocalApi.open(directory);
    assertThat(api.create("v1", "namespaces", "", "{'metadata':{'name':'kube-system'}}"))
        .isNotNull();
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void token_ofASecret_isItsUser() {
    secret(Map.of("auth-extra-groups", "system:bootstrappers:workers,system:bootstrappers:agents"));

    assertThat(authenticate(TOKEN))
        .isEqualTo(
            new Authentication.Authenticated(
                new UserInfo(
                    "system:bootstrap:abcdef",
                    "",
                    List.of(
                        "system:bootstrappers",
                        "system:bootstrappers:agents",
                        "system:bootstrappers:workers"),
                    Map.of())));
  }

  static Stream<Map<String, String>> wrong() {
    return Stream.of(
        Map.of("expiration", "2029-01-01T00:00:00Z"),
        Map.of("expiration", "tomorrow"),
        Map.of("usage-bootstrap-authentication", "false"),
        Map.of("token-id", "fedcba"),
        Map.of("token-secret", "0123456789abcdee"),
        Map.of("auth-extra-groups", "system:masters"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void secret_thatDoesNotAllowIt_isNobody(Map<String, String> changed) {
    secret(changed);

    assertThat(authenticate(TOKEN)).isEqualTo(new Authentication.NoOpinion());
  }

  @Test
  void token_withoutSecret_isNobody() {
    assertThat(authenticate(TOKEN)).isEqualTo(new Authentication.NoOpinion());
    assertThat(authenticate("abc")).isEqualTo(new Authentication.NoOpinion());
  }

  private Authentication authenticate(String token) {
    return new BootstrapTokenAuthenticator(
            new LocalResourceClient(api.catalog(), api.registry()), api.clock())
        .authenticate(new Credentials(List.of("Bearer " + token), List.of()));
  }

  private void secret(Map<String, String> changed) {
    Map<String, String> data = new HashMap<>();
    data.put("token-id", "abcdef");
    data.put("token-secret", "0123456789abcdef");
    data.put("usage-bootstrap-authentication", "true");
    data.put("expiration", "2031-01-01T00:00:00Z");
    data.putAll(changed);
    StringBuilder json = new StringBuilder();
    data.forEach(
        (key, value) ->
            json.append(json.isEmpty() ? "" : ",")
                .append("'" + key + "':'")
                .append(Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)))
                .append("'"));
    assertThat(
            api.create(
                "v1",
                "secrets",
                "kube-system",
                "{'metadata':{'name':'bootstrap-token-abcdef'},"
                    + "'type':'bootstrap.kubernetes.io/token','data':{"
                    + json
                    + "}}"))
        .isNotNull();
  }
}

package dev.keelson.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.plugin.PluginConfiguration;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.webhook.ClientIdentity;
import dev.keelson.webhook.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class WebhookCredentialsTest {

  private static Credentials read(Path directory, String kind) throws IOException {
    Files.writeString(
        directory.resolve("k"),
        """
        kind: Config
        users:
        - {name: exact.example.com, user: {token: exact}}
        - {name: 'exact.example.com:8443', user: {token: port}}
        - {name: '*.example.com', user: {username: u, password: p}}
        - {name: hook.one.svc, user: {token: service}}
        """);
    MapNode content = MapNode.of("kind", Node.text(kind)).with("kubeConfigFile", Node.text("k"));
    return WebhookCredentials.of(Optional.of(new PluginConfiguration(content, directory)));
  }

  @ParameterizedTest
  @CsvSource({
    "exact.example.com, Bearer exact",
    "exact.example.com:443, Bearer exact",
    "exact.example.com:8443, Bearer port",
    "a.example.com, Basic dTpw",
    "a.b.example.com:443, Basic dTpw",
    "hook.one.svc:443, Bearer service",
    "hook.two.svc:443, ''",
    "example.com, ''",
  })
  void users_areChosenByAddress(String target, String header, @TempDir Path directory)
      throws IOException {
    ClientIdentity found = read(directory, "WebhookAdmissionConfiguration").of(target);

    assertThat(found.headers().getOrDefault("Authorization", "")).isEqualTo(header);
  }

  @Test
  void anotherKind_isRefused(@TempDir Path directory) {
    assertThatThrownBy(() -> read(directory, "Other"))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("expected kind WebhookAdmissionConfiguration");
  }

  @Test
  void withoutConfiguration_callsAreAnonymous() {
    assertThat(WebhookCredentials.of(Optional.empty()).of("any"))
        .isEqualTo(ClientIdentity.ANONYMOUS);
  }
}

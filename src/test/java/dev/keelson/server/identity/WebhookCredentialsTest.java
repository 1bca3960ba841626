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
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class WebhookCredentialsTest {

  private static final String USERS =
      """
      kind: Config
      users:
      - {name: exact.example.com, user: {token: exact}}
      - {name: 'exact.example.com:8443', user: {token: port}}
      - {name: 'ported.example.com:443', user: {token: default-port}}
      - {name: '*.example.com', user: {username: u, password: p}}
      - {name: hook.one.svc, user: {token: service}}
      """;

  private final AtomicLong now = new AtomicLong();

  private Credentials read(Path directory, String kind, String kubeconfig) throws IOException {
    Files.writeString(directory.resolve("k"), kubeconfig);
    MapNode content = MapNode.of("kind", Node.text(kind)).with("kubeConfigFile", Node.text("k"));
    return WebhookCredentials.of(
        Optional.of(new PluginConfiguration(content, directory)), now::get);
  }

  private Credentials read(Path directory, String kubeconfig) throws IOException {
    return read(directory, "WebhookAdmissionConfiguration", kubeconfig);
  }

  private static String shown(Credentials credentials, String target) {
    return credentials.of(target).headers().getOrDefault("Authorization", "");
  }

  @ParameterizedTest
  @CsvSource({
    "exact.example.com, Bearer exact",
    "exact.example.com:443, Bearer exact",
    "exact.example.com:8443, Bearer port",
    "ported.example.com:443, Bearer default-port",
    "a.example.com, Basic dTpw",
    "a.b.example.com:443, Basic dTpw",
    "hook.one.svc:443, Bearer service",
    "hook.two.svc:443, ''",
    "example.com, ''",
  })
  void users_areChosenByAddress(String target, String header, @TempDir Path directory)
      throws IOException {
    assertThat(shown(read(directory, USERS), target)).isEqualTo(header);
  }

  @Test
  void anotherKind_isRefused(@TempDir Path directory) {
    assertThatThrownBy(() -> read(directory, "Other", USERS))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("expected kind WebhookAdmissionConfiguration");
  }

  @Test
  void withoutConfiguration_callsAreAnonymous() {
    assertThat(WebhookCredentials.of(Optional.empty(), () -> 0).of("any"))
        .isEqualTo(ClientIdentity.ANONYMOUS);
  }

  @Test
  void otherWebhooks_seeTheUserOfTheCurrentContext_unlessThereIsAStar(@TempDir Path directory)
      throws IOException {
    String current =
        """
        kind: Config
        current-context: c
        contexts:
        - {name: c, context: {user: one}}
        users:
        - {name: one, user: {token: one}}
        """;

    assertThat(shown(read(directory, current), "any:443")).isEqualTo("Bearer one");
    assertThat(shown(read(directory, current + "- {name: '*', user: {token: star}}\n"), "any:443"))
        .isEqualTo("Bearer star");
  }

  @Test
  void tokenFile_isReadAgainAfterAMinute_andItsLastTokenCounts(@TempDir Path directory)
      throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "first\n");
    Credentials credentials = read(directory, "users: [{name: '*', user: {tokenFile: token}}]");
    assertThat(shown(credentials, "a:443")).isEqualTo("Bearer first");

    Files.writeString(token, "second\n");
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(shown(credentials, "a:443")).isEqualTo("Bearer first");
    now.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(shown(credentials, "a:443")).isEqualTo("Bearer second");

    ClientIdentity same = credentials.of("a:443");
    Files.delete(token);
    now.addAndGet(Duration.ofMinutes(2).toNanos());
    assertThat(credentials.of("a:443")).isSameAs(same);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{exec: {command: x}}|exec is not supported",
        "{auth-provider: {name: x}}|auth-provider is not supported",
        "{as: jane, token: t}|as is not supported",
        "{token: t, username: u, password: p}|username/password or bearer token may be set, but"
            + " not both",
        "{tokenFile: missing}|missing",
        "{client-certificate: c}|client-certificate and client-key must be set together",
      })
  void user_thatCannotBeShown_isRefusedAtTheStart(
      String user, String message, @TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("c"), "-");

    assertThatThrownBy(() -> read(directory, "users: [{name: a, user: " + user + "}]"))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining(message);
  }
}

package dev.keelson.server.audit;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.audit.Acceptance;
import dev.keelson.testing.IdentityProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Secrets, tokens and ConfigMaps under the policy that docs/audit.md recommends. */
@Timeout(60)
class PlantedSecretTest {

  private static final String PLANTED = "cGxhbnRlZC1pbi1hLXNlY3JldA==";
  private static final String ALLOWED = "hard-limit-that-may-be-seen";

  @TempDir Path directory;

  private final List<String> posts = new CopyOnWriteArrayList<>();

  /** Whether the trail's database is there, or its events stay in the spool. */
  @ParameterizedTest
  @CsvSource({"json, true", "legacy, true", "json, false"})
  void secrets_areInNoBackEnd(String format, boolean database) throws IOException {
    try (IdentityProvider webhook = new IdentityProvider()) {
      webhook.path("/audit", this::take);
      Path policy = Files.writeString(directory.resolve("policy.yaml"), recommended());
      Path kubeconfig =
          Files.writeString(
              directory.resolve("webhook.yaml"),
              webhook.kubeconfig("/audit", webhook.certificatePem()));
      // nothing listens at port 1: the events of such a trail wait in the spool
      String trail =
          database
              ? "sqlite:" + directory.resolve("trail.db")
              : "postgresql://nobody:x@127.0.0.1:1/audit";
      Path log = directory.resolve("audit.log");
      List<String> flags =
          List.of(
              "--audit-policy-file=" + policy,
              "--audit-log-path=" + log,
              "--audit-log-format=" + format,
              "--audit-webhook-config-file=" + kubeconfig,
              "--audit-webhook-mode=blocking",
              "--audit-trail=" + trail,
              "--audit-trail-mode=blocking");
      try (AuditUnderFlags audit =
          new AuditUnderFlags(directory.resolve("data"), Duration.ZERO, flags)) {
        write(audit, "POST", "/api/v1/namespaces/ns/secrets");
        write(audit, "PUT", "/api/v1/namespaces/ns/secrets/s");
        write(audit, "PATCH", "/api/v1/namespaces/ns/secrets/s");
        write(audit, "DELETE", "/api/v1/namespaces/ns/secrets");
        write(audit, "POST", "/api/v1/namespaces/ns/configmaps");
        write(audit, "POST", "/api/v1/namespaces/ns/serviceaccounts/a/token");
        write(audit, "POST", "/apis/authentication.k8s.io/v1/tokenreviews");
        assertThat(
                audit.request(
                    "quota",
                    "POST",
                    "/api/v1/namespaces/ns/resourcequotas",
                    "{\"spec\":\"" + ALLOWED + "\"}"))
            .isEqualTo(Acceptance.ACCEPTED);
        if (database) {
          assertEventually(() -> assertThat(audit.trail()).hasSize(8));
        }

        assertThat(everything()).doesNotContain(PLANTED);
        // what the policy does let through shows that the search would find it
        assertThat(String.join("", posts)).contains(ALLOWED).doesNotContain(PLANTED);
        assertThat(text(log).contains(ALLOWED)).isEqualTo(format.equals("json"));
        assertThat(text(log).lines()).hasSize(8);
        if (database) {
          assertThat(audit.trail()).anyMatch(event -> event.contains(ALLOWED));
          assertThat(audit.trail()).noneMatch(event -> event.contains(PLANTED));
        } else {
          assertThat(text(directory.resolve("data"))).contains(ALLOWED);
        }
      }
      assertThat(everything()).doesNotContain(PLANTED);
    }
  }

  private static void write(AuditUnderFlags audit, String method, String path) {
    assertThat(audit.request(method + path, method, path, "{\"data\":\"" + PLANTED + "\"}"))
        .isEqualTo(Acceptance.ACCEPTED);
  }

  private String take(HttpExchange exchange) {
    try {
      posts.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      return "{}";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String everything() throws IOException {
    return text(directory);
  }

  /** The bytes of a file, or of all files below a directory. */
  private static String text(Path root) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }

  /** The policy of docs/audit.md, which is the first YAML block there. */
  private static String recommended() throws IOException {
    String document = Files.readString(Path.of("docs", "audit.md"));
    int begin = document.indexOf("```yaml\n") + "```yaml\n".length();
    return document.substring(begin, document.indexOf("```", begin));
  }
}

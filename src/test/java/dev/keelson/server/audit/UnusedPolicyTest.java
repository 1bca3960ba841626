package dev.keelson.server.audit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.config.Flags;
import dev.keelson.config.option.AuditOptions;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy of the audit that no back end uses. */
class UnusedPolicyTest {

  @TempDir private Path directory;

  private AuditOptions options(String policy) throws IOException {
    Path file = Files.writeString(directory.resolve("policy.yaml"), policy);
    Flags.Wish wish = new Flags().read(List.of("--audit-policy-file=" + file), Map.of());
    return Objects.requireNonNull(((Flags.Wish.Run) wish).options().audit());
  }

  @Test
  void malformedPolicy_endsTheStart() throws IOException {
    AuditOptions options = options("rules: 7");

    assertThatThrownBy(() -> BackEnds.check(options, new FileReloader()))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("--audit-policy-file: ");
  }

  @Test
  void validPolicy_isRead() throws IOException {
    AuditOptions options =
        options(
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            rules:
            - level: Metadata
            """);

    assertThatCode(() -> BackEnds.check(options, new FileReloader())).doesNotThrowAnyException();
  }
}

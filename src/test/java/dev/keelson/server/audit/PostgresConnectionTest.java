package dev.keelson.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.audit.trail.postgresql.PostgresTrail;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.testing.PostgresProcess;
import dev.keelson.testing.TestCertificates;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Connections to a PostgreSQL that demands TLS and SCRAM-SHA-256, by both drivers: the migration
 * takes one, searches the other.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(60)
class PostgresConnectionTest {

  /** With characters that a URL escapes. */
  private static final String PASSWORD = "p@ss/wörd ${x}";

  private static final String ESCAPED = "p%40ss%2Fw%C3%B6rd%20%24%7Bx%7D";

  private Vertx vertx;
  private PostgresProcess postgres;
  private Path root;
  private Path stranger;

  @BeforeAll
  void startPostgres(@TempDir Path directory) throws Exception {
    Assumptions.assumeTrue(PostgresProcess.isInstalled(), "PostgreSQL is not installed");
    vertx = Vertx.vertx();
    TestCertificates certificates =
        TestCertificates.in(Files.createDirectory(directory.resolve("own")));
    root = certificates.authority();
    stranger = TestCertificates.in(Files.createDirectory(directory.resolve("other"))).authority();
    postgres = PostgresProcess.startSecured(certificates, PASSWORD);
  }

  @AfterAll
  void stopPostgres() throws Exception {
    if (postgres != null) {
      postgres.close();
      Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, sslmode=verify-full&sslrootcert=ROOT",
    "127.0.0.1, sslmode=verify-ca&sslrootcert=ROOT",
    "localhost, sslmode=verify-ca&sslrootcert=ROOT",
    "127.0.0.1, sslmode=require",
    "localhost, sslmode=require",
    "127.0.0.1, sslmode=prefer",
  })
  void connects(String host, String options) throws Exception {
    try (TrailStore trail = open(host, ESCAPED, options)) {
      assertThat(trail.bounds()).isEqualTo(new TrailStore.Bounds(0, 0));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // the certificate is of 127.0.0.1
    "localhost, sslmode=verify-full&sslrootcert=ROOT",
    "127.0.0.1, sslmode=verify-full&sslrootcert=STRANGER",
    "127.0.0.1, sslmode=verify-ca&sslrootcert=STRANGER",
    "127.0.0.1, sslmode=disable",
  })
  void isUnavailable(String host, String options) throws Exception {
    try (TrailStore trail = open(host, ESCAPED, options)) {
      assertThatThrownBy(trail::bounds).isInstanceOf(TrailException.Unavailable.class);
    }
  }

  @Test
  void withAWrongPassword_isUnavailable_andDoesNotTellIt() throws Exception {
    try (TrailStore trail = open("127.0.0.1", "guessed", "sslmode=require")) {
      assertThatThrownBy(trail::bounds)
          .isInstanceOf(TrailException.Unavailable.class)
          .hasMessageContaining("password authentication failed")
          .hasMessageNotContaining("guessed");
    }
  }

  @Test
  void ofAMalformedUrl_orAMissingFile_failsTheStart() {
    assertThatThrownBy(() -> PostgresConnection.options("postgresql://u:secret@h:notaport/x"))
        .isInstanceOf(StartupException.class)
        .hasMessageNotContaining("secret");
    assertThatThrownBy(
            () ->
                PostgresConnection.options(
                    "postgresql://h/x?sslmode=verify-full&sslrootcert=/no/such/file"))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("/no/such/file");
    assertThatThrownBy(() -> PostgresConnection.options("postgresql://h/x?sslmode=verify-full"))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("sslrootcert");
  }

  private TrailStore open(String host, String password, String options) {
    String files =
        options.replace("ROOT", root.toString()).replace("STRANGER", stranger.toString());
    PgConnectOptions connect =
        PostgresConnection.options(
            "postgresql://keelson:%s@%s:%d/postgres?%s"
                .formatted(password, host, postgres.port(), files));
    return new PostgresTrail(vertx, connect, Duration.ofSeconds(20));
  }
}

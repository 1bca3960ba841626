package dev.keelson.audit.trail.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.audit.trail.TrailException;
import dev.keelson.testing.Eventually;
import dev.keelson.work.Turn;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A search that never ends by itself ends with its request, and keeps no carrier. */
@Timeout(60)
class TrailReaderTest {

  private static final String ENDLESS =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

  private TrailReader reader;

  @BeforeEach
  void open(@TempDir Path directory) throws SQLException {
    TrailFile file = new TrailFile(directory.resolve("trail.db"), Duration.ofSeconds(10));
    file.close(file.openForWrites());
    reader = new TrailReader(file);
  }

  @AfterEach
  void close() {
    reader.close();
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private long search(String sql) {
    try {
      return reader.read(connection -> number(connection, sql));
    } catch (SQLException | TrailException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void search_returnsWhatItFinds_orItsFailure() {
    assertThat(search("SELECT 7")).isEqualTo(7);
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> reader.read(connection -> number(connection, "SELECT nothing")));
  }

  @Test
  void searchOfAClientThatHasGone_ends() {
    AtomicBoolean gone = new AtomicBoolean();
    CompletableFuture<Reason> outcome = new CompletableFuture<>();
    Thread unused =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    long found = Turn.run(gone::get, () -> search(ENDLESS));
                    assertThat(found).isNegative();
                  } catch (ApiException e) {
                    boolean first = outcome.complete(e.reason());
                    assertThat(first).isTrue();
                  }
                });
    Eventually.assertEventually(() -> assertThat(reader.running()).isEqualTo(1));

    gone.set(true);

    assertThat(outcome.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(Reason.TIMEOUT);
    Eventually.assertEventually(() -> assertThat(reader.running()).isZero());
  }

  @Test
  void searchWhoseThreadIsInterrupted_ends() throws InterruptedException {
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    long found = search(ENDLESS);
                    assertThat(found).isNegative();
                  } catch (IllegalStateException e) {
                    interrupted.set(
                        e.getCause() instanceof TrailException.Unavailable
                            && Thread.currentThread().isInterrupted());
                  }
                });
    Eventually.assertEventually(() -> assertThat(reader.running()).isEqualTo(1));

    thread.interrupt();
    thread.join();

    assertThat(interrupted).isTrue();
    Eventually.assertEventually(() -> assertThat(reader.running()).isZero());
  }

  @Test
  void searches_keepNoCarrier() throws InterruptedException {
    AtomicBoolean gone = new AtomicBoolean();
    int busy = 2 * Runtime.getRuntime().availableProcessors();
    CountDownLatch ended = new CountDownLatch(busy);
    for (int i = 0; i < busy; i++) {
      Thread unused =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      long found = Turn.run(gone::get, () -> search(ENDLESS));
                      assertThat(found).isNegative();
                    } catch (ApiException e) {
                      ended.countDown();
                    }
                  });
    }
    try {
      Eventually.assertEventually(() -> assertThat(reader.running()).isPositive());
      for (int i = 0; i < 20; i++) {
        CountDownLatch other = new CountDownLatch(1);
        Thread unused = Thread.ofVirtual().start(other::countDown);
        assertThat(other.await(20, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      gone.set(true);
    }
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
  }
}

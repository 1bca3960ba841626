package dev.keelson.audit.trail.postgresql;

import static dev.keelson.audit.trail.TrailEvents.NOON;
import static dev.keelson.audit.trail.TrailEvents.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.audit.trail.TrailStoreContract;
import dev.keelson.testing.PostgresProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

@TestInstance(Lifecycle.PER_CLASS)
class PostgresTrailTest extends TrailStoreContract {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private Vertx vertx;
  private PostgresProcess postgres;
  private Pool pool;
  private int databases;

  @BeforeAll
  void startPostgres() {
    Assumptions.assumeTrue(PostgresProcess.isInstalled(), "PostgreSQL is not installed");
    vertx = Vertx.vertx();
    postgres = PostgresProcess.start();
    pool = PgBuilder.pool().connectingTo(postgres.url()).using(vertx).build();
  }

  @AfterAll
  void stopPostgres() throws Exception {
    if (postgres != null) {
      await(pool.close());
      await(vertx.close());
      postgres.close();
    }
  }

  /** Every test has a database of its own. */
  @BeforeEach
  @Override
  protected void openStore() throws Exception {
    databases++;
    RowSet<Row> unused =
        await(
            pool.query("CREATE DATABASE trail" + databases + " LOCALE 'C.UTF-8' TEMPLATE template0")
                .execute());
    super.openStore();
  }

  private PgConnectOptions options() {
    return PgConnectOptions.fromUri(postgres.url()).setDatabase("trail" + databases);
  }

  @Override
  protected TrailStore open() {
    return new PostgresTrail(vertx, options(), TIMEOUT);
  }

  @Test
  void append_makesAPartitionOfEachDay() throws Exception {
    store.append(List.of(get("a").row(), get("b").at(NOON.plus(Duration.ofDays(1))).row()));

    assertThat(tables()).containsExactly("audit_event_20260304", "audit_event_20260305");
    store.removeBefore(NOON.plus(Duration.ofDays(1)));
    assertThat(tables()).containsExactly("audit_event_20260305");
  }

  @Test
  void append_toADayThatAnotherServerHasRemoved_makesItAgain() throws Exception {
    store.append(List.of(get("a").row()));
    try (TrailStore other = open()) {
      other.removeBefore(NOON.plus(Duration.ofDays(1)));
    }

    store.append(List.of(get("b").row()));

    assertThat(store.search(TrailQuery.ALL, TrailStore.NEWEST, 10)).hasSize(1);
  }

  @Test
  void tables_areMadeByOneServerAtATime() throws Exception {
    PgConnection other = await(PgConnection.connect(vertx, options()));
    RowSet<Row> locked = await(other.query(TrailMigration.LOCK).execute());
    assertThat(locked.size()).isOne();
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      var appended =
          threads.submit(
              () -> {
                store.append(List.of(get("a").row()));
                return null;
              });
      // the test's own time is the limit
      while (execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").size()
          == 0) {
        Thread.onSpinWait();
      }
      assertThat(execute("SELECT 1 FROM pg_class WHERE relname LIKE 'audit%'")).isEmpty();

      Void unused = await(other.close());

      assertThat(appended.get()).isNull();
    }
    assertThat(store.search(TrailQuery.ALL, TrailStore.NEWEST, 10)).hasSize(1);
  }

  @Test
  void calls_toADatabaseOfANewerProgram_fail() throws Exception {
    store.append(List.of(get("a").row()));
    execute(
        "INSERT INTO audit_trail_history (installed_rank, version, description, type, script,"
            + " checksum, installed_by, execution_time, success)"
            + " VALUES (99, '99', 'later', 'SQL', 'V99__later.sql', 0, 'keelson', 0, true)");
    try (TrailStore later = open()) {
      assertThatThrownBy(() -> later.append(List.of(get("b").row())))
          .isInstanceOf(TrailException.Unavailable.class)
          .hasMessageContaining("99");
    }
  }

  @Test
  void calls_whileTheDatabaseIsDown_areUnavailable_andWorkAgainAfterwards() throws Exception {
    store.append(List.of(get("a").row()));
    postgres.kill();
    try {
      assertThatThrownBy(() -> store.append(List.of(get("b").row())))
          .isInstanceOf(TrailException.Unavailable.class);
    } finally {
      postgres.startAgain();
    }

    boolean stored = false;
    while (!stored) {
      try {
        store.append(List.of(get("b").row()));
        stored = true;
      } catch (TrailException.Unavailable e) {
        // the database recovers
        assertThat(e).hasMessageContaining("trail's database");
      }
    }
    assertThat(store.search(TrailQuery.ALL, TrailStore.NEWEST, 10)).hasSize(2);
  }

  private List<String> tables() throws Exception {
    List<String> names = new ArrayList<>();
    for (Row row :
        execute("SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1")) {
      names.add(row.getString(0));
    }
    return names;
  }

  private RowSet<Row> execute(String sql) throws Exception {
    Pool own = PgBuilder.pool().connectingTo(options()).using(vertx).build();
    try {
      return await(own.query(sql).execute());
    } finally {
      await(own.close());
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get();
  }
}

package dev.keelson.audit.trail.postgresql;

import dev.keelson.audit.trail.TrailCondition;
import dev.keelson.audit.trail.TrailEvent;
import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailField;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The trail in PostgreSQL. Connects on the first call, and makes its tables then; a server starts
 * while the database is away.
 */
public final class PostgresTrail implements TrailStore {

  /*
   * A batch is one INSERT of arrays. Writers take an advisory lock for their transaction, so that
   * the positions, which a sequence gives, rise in the order of commits: without it a reader could
   * see 8 before a slower transaction commits 7, and miss that for ever. A batch holds the lock for
   * some milliseconds.
   */

  private static final List<String> COLUMNS =
      Arrays.stream(TrailField.values()).map(TrailField::column).toList();

  private static final int FIXED = 3;

  private static final String INSERT =
      "INSERT INTO audit_event (id, text, json, "
          + String.join(", ", COLUMNS)
          + ") SELECT * FROM unnest("
          + IntStream.rangeClosed(1, FIXED + COLUMNS.size())
              .mapToObj(number -> "$" + number + "::text[]")
              .collect(Collectors.joining(", "))
          + ") ON CONFLICT (id) DO NOTHING";

  private static final String ENTRY = "SELECT id, seq, json FROM audit_event WHERE ";

  private static final int CONNECTIONS = 4;

  /** Removing a day waits for running searches so long, and holds up others meanwhile. */
  private static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '2s'";

  /** A row has no partition: another server has removed the day. */
  private static final String NO_PARTITION = "23514";

  /** Data exceptions, violated constraints, exceeded limits of the program. */
  private static final Set<String> REJECTED = Set.of("22", "23", "54");

  private final Pool pool;
  private final Duration timeout;
  private final Set<LocalDate> partitions = ConcurrentHashMap.newKeySet();

  /** Held while the tables are made. */
  private final ReentrantLock migration = new ReentrantLock();

  private volatile boolean migrated;
  private volatile boolean closed;

  /**
   * A trail that is not connected yet.
   *
   * @param timeout how long a call may take
   */
  public PostgresTrail(Vertx vertx, PgConnectOptions options, Duration timeout) {
    this.timeout = timeout;
    int millis = Math.toIntExact(timeout.toMillis());
    PgConnectOptions connect =
        new PgConnectOptions(options).setCachePreparedStatements(true).setConnectTimeout(millis);
    connect.addProperty("statement_timeout", Integer.toString(millis));
    connect.addProperty("application_name", "keelson");
    this.pool =
        PgBuilder.pool()
            .with(
                new PoolOptions()
                    .setMaxSize(CONNECTIONS)
                    .setConnectionTimeout(millis)
                    .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                    .setIdleTimeout(1)
                    .setIdleTimeoutUnit(TimeUnit.MINUTES))
            .connectingTo(connect)
            .using(vertx)
            .build();
  }

  @Override
  public void append(List<TrailEvent> events) throws TrailException {
    if (events.isEmpty()) {
      return;
    }
    Tuple rows = rows(events);
    Set<LocalDate> days = new TreeSet<>();
    events.forEach(event -> days.add(day(event.time())));
    try {
      insert(rows, days);
    } catch (TrailException.Rejected e) {
      if (!(e.getCause() instanceof PgException cause)
          || !NO_PARTITION.equals(cause.getSqlState())) {
        throw e;
      }
      partitions.removeAll(days);
      insert(rows, days);
    }
  }

  private void insert(Tuple rows, Set<LocalDate> days) throws TrailException {
    List<LocalDate> missing = days.stream().filter(day -> !partitions.contains(day)).toList();
    transaction(
        connection -> {
          Future<Void> ready = connection.query(TrailTables.LOCK).execute().mapEmpty();
          for (LocalDate day : missing) {
            ready = ready.compose(before -> TrailTables.partition(connection, day));
          }
          return ready.compose(before -> connection.preparedQuery(INSERT).execute(rows));
        });
    partitions.addAll(missing);
  }

  private static Tuple rows(List<TrailEvent> events) {
    int count = events.size();
    String[][] columns = new String[FIXED + COLUMNS.size()][count];
    for (int i = 0; i < count; i++) {
      TrailEvent event = events.get(i);
      columns[0][i] = event.id();
      columns[1][i] = event.text();
      columns[2][i] = new String(event.json(), StandardCharsets.UTF_8);
      for (int c = 0; c < COLUMNS.size(); c++) {
        columns[FIXED + c][i] = event.columns().get(c);
      }
    }
    Tuple rows = Tuple.tuple();
    for (String[] column : columns) {
      rows.addArrayOfString(column);
    }
    return rows;
  }

  private static LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }

  @Override
  public List<Entry> search(TrailQuery query, String before, int limit) throws TrailException {
    return entries(condition(query).before(before), " ORDER BY id DESC LIMIT " + limit);
  }

  private static TrailCondition condition(TrailQuery query) {
    return new TrailCondition(query, "strpos", number -> "$" + number);
  }

  private List<Entry> entries(TrailCondition condition, String rest) throws TrailException {
    Tuple parameters = Tuple.tuple();
    condition.parameters().forEach(parameters::addString);
    String sql = ENTRY + condition.sql() + rest;
    List<Entry> entries = new ArrayList<>();
    for (Row row : ask(() -> pool.preparedQuery(sql).execute(parameters))) {
      entries.add(
          new Entry(
              row.getString(0), row.getLong(1), row.getString(2).getBytes(StandardCharsets.UTF_8)));
    }
    return entries;
  }

  @Override
  public Optional<Entry> find(String id) throws TrailException {
    TrailCondition condition = condition(new TrailQuery(List.of(), id, id + '!', List.of()));
    return entries(condition, "").stream().findFirst();
  }

  @Override
  public Tail tail(TrailQuery query, long after, int limit) throws TrailException {
    long newest = bounds().newest();
    if (newest <= after) {
      return new Tail(List.of(), after);
    }
    List<Entry> entries =
        entries(
            condition(query),
            " AND seq > %d AND seq <= %d ORDER BY seq LIMIT %d".formatted(after, newest, limit));
    return new Tail(entries, entries.size() < limit ? newest : entries.getLast().position());
  }

  @Override
  public Bounds bounds() throws TrailException {
    RowSet<Row> rows =
        ask(
            () ->
                pool.query(
                        "SELECT coalesce((SELECT min(seq) FROM audit_event), 0),"
                            + " coalesce((SELECT max(seq) FROM audit_event), 0)")
                    .execute());
    Row row = rows.iterator().next();
    return new Bounds(row.getLong(0), row.getLong(1));
  }

  @Override
  public void removeBefore(Instant time) throws TrailException {
    List<String> old =
        ask(() -> pool.withConnection(one -> TrailTables.partitionsBefore(one, day(time))));
    for (String partition : old) {
      transaction(
          connection ->
              connection
                  .query(LOCK_TIMEOUT)
                  .execute()
                  .compose(set -> connection.query(TrailTables.LOCK).execute())
                  .compose(
                      locked -> connection.query("DROP TABLE IF EXISTS " + partition).execute()));
    }
    partitions.removeIf(day -> day.isBefore(day(time)));
  }

  private <T> void transaction(Function<SqlConnection, Future<T>> work) throws TrailException {
    T unused = ask(() -> pool.withTransaction(work));
  }

  private <T> T ask(Supplier<Future<T>> call) throws TrailException {
    if (!migrated) {
      migrate();
    }
    return await(call);
  }

  private void migrate() throws TrailException {
    migration.lock();
    try {
      if (!migrated) {
        Void unused = await(() -> pool.withTransaction(TrailTables::migrate));
        migrated = true;
      }
    } finally {
      migration.unlock();
    }
  }

  private <T> T await(Supplier<Future<T>> call) throws TrailException {
    if (closed) {
      throw new TrailException.Unavailable("the trail is closed", null);
    }
    try {
      return call.get()
          .toCompletionStage()
          .toCompletableFuture()
          .get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new TrailException.Unavailable("the trail's database does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TrailException.Unavailable("interrupted", e);
    } catch (IllegalStateException e) {
      // a closed pool
      throw failure(e);
    }
  }

  private static TrailException failure(Throwable cause) {
    String message = "the trail's database: " + cause.getMessage();
    return cause instanceof PgException sql
            && sql.getSqlState() != null
            && REJECTED.contains(sql.getSqlState().substring(0, 2))
        ? new TrailException.Rejected(message, cause)
        : new TrailException.Unavailable(message, cause);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Future<Void> unused = pool.close();
    }
  }
}

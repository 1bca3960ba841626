package dev.keelson.audit.trail.postgresql;

import dev.keelson.audit.trail.TrailCondition;
import dev.keelson.audit.trail.TrailEvent;
import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.flywaydb.core.api.FlywayException;
import org.hibernate.HibernateException;
import org.hibernate.reactive.stage.Stage;
import org.jspecify.annotations.Nullable;

/**
 * The trail in PostgreSQL, by Hibernate Reactive on the Vert.x client. Connects on the first call,
 * and makes its tables then; a server starts while the database is away.
 */
public final class PostgresTrail implements TrailStore {

  /*
   * A batch is one prepared statement with a row of parameters for each event, which the client
   * sends without waiting between them. Writers take an advisory lock for their transaction, so
   * that the positions, which a sequence gives, rise in the order of commits: without it a reader
   * could see 8 before a slower transaction commits 7, and miss that for ever. A batch holds the
   * lock for some milliseconds.
   */

  private static final String SELECT = "SELECT " + StoredEvent.COLUMNS + " FROM audit_event WHERE ";

  private static final String BOUNDS =
      "SELECT coalesce((SELECT min(seq) FROM audit_event), 0) AS oldest,"
          + " coalesce((SELECT max(seq) FROM audit_event), 0) AS newest";

  private static final int CONNECTIONS = 4;

  /** Removing a day waits for running searches so long, and holds up others meanwhile. */
  private static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '2s'";

  /** A row has no partition: another server has removed the day. */
  private static final String NO_PARTITION = "23514";

  /** Data exceptions, violated constraints, exceeded limits of the program. */
  private static final Set<String> REJECTED = Set.of("22", "23", "54");

  private final Vertx vertx;
  private final PgConnectOptions connect;
  private final Pool pool;
  private final Duration timeout;
  private final Set<LocalDate> partitions = ConcurrentHashMap.newKeySet();

  /** Held while the tables are made. */
  private final ReentrantLock migration = new ReentrantLock();

  /** Null until the tables are up to date. */
  private volatile Stage.@Nullable SessionFactory sessions;

  private volatile boolean closed;

  /**
   * A trail that is not connected yet.
   *
   * @param timeout how long a call may take
   */
  public PostgresTrail(Vertx vertx, PgConnectOptions options, Duration timeout) {
    this.vertx = vertx;
    this.timeout = timeout;
    int millis = Math.toIntExact(timeout.toMillis());
    this.connect =
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
    List<AuditEvent> rows = events.stream().map(AuditEvent::new).toList();
    Set<LocalDate> days = new TreeSet<>();
    events.forEach(event -> days.add(day(event.time())));
    try {
      insert(rows, days);
    } catch (TrailException.Rejected e) {
      if (!NO_PARTITION.equals(state(e.getCause()))) {
        throw e;
      }
      partitions.removeAll(days);
      insert(rows, days);
    }
  }

  private void insert(List<AuditEvent> rows, Set<LocalDate> days) throws TrailException {
    List<LocalDate> missing = days.stream().filter(day -> !partitions.contains(day)).toList();
    transaction(
        session -> {
          CompletionStage<?> ready = TrailPartitions.lock(session);
          for (LocalDate day : missing) {
            ready = ready.thenCompose(before -> TrailPartitions.make(session, day));
          }
          return ready.thenCompose(before -> session.insertMultiple(rows));
        });
    partitions.addAll(missing);
  }

  private static LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }

  @Override
  public List<Entry> search(TrailQuery query, String before, int limit) throws TrailException {
    return entries(condition(query).before(before), " ORDER BY id DESC LIMIT " + limit);
  }

  private static TrailCondition condition(TrailQuery query) {
    return new TrailCondition(query, "strpos", number -> "?" + number);
  }

  private List<Entry> entries(TrailCondition condition, String rest) throws TrailException {
    String sql = SELECT + condition.sql() + rest;
    List<String> parameters = condition.parameters();
    List<StoredEvent> rows =
        ask(
            session -> {
              Stage.SelectionQuery<StoredEvent> query =
                  session.createNativeQuery(sql, StoredEvent.class);
              for (int i = 0; i < parameters.size(); i++) {
                query.setParameter(i + 1, parameters.get(i));
              }
              return query.getResultList();
            });
    return rows.stream().map(StoredEvent::entry).toList();
  }

  @Override
  public Optional<Entry> find(String id) throws TrailException {
    // get completes with null for a row that does not exist
    return ask(
        session ->
            session
                .get(StoredEvent.class, id)
                .thenApply(row -> Optional.ofNullable(row).map(StoredEvent::entry)));
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
    Object[] row =
        ask(session -> session.createNativeQuery(BOUNDS, Object[].class).getSingleResult());
    return new Bounds(((Number) row[0]).longValue(), ((Number) row[1]).longValue());
  }

  @Override
  public void removeBefore(Instant time) throws TrailException {
    List<String> old = ask(session -> TrailPartitions.before(session, day(time)));
    for (String partition : old) {
      transaction(
          session ->
              session
                  .createNativeQuery(LOCK_TIMEOUT)
                  .executeUpdate()
                  .thenCompose(set -> TrailPartitions.lock(session))
                  .thenCompose(locked -> TrailPartitions.drop(session, partition)));
    }
    partitions.removeIf(day -> day.isBefore(day(time)));
  }

  private void transaction(Function<Stage.StatelessSession, CompletionStage<?>> work)
      throws TrailException {
    Stage.SessionFactory factory = sessions();
    boolean unused =
        await(
            () ->
                factory.withStatelessTransaction(
                    session -> work.apply(session).thenApply(done -> true)));
  }

  private <T> T ask(Function<Stage.StatelessSession, CompletionStage<T>> work)
      throws TrailException {
    Stage.SessionFactory factory = sessions();
    return await(() -> factory.withStatelessSession(work));
  }

  /** The sessions of a database whose tables are up to date. */
  private Stage.SessionFactory sessions() throws TrailException {
    Stage.SessionFactory ready = sessions;
    return ready == null ? migrate() : ready;
  }

  private Stage.SessionFactory migrate() throws TrailException {
    migration.lock();
    try {
      checkOpen();
      Stage.SessionFactory made = sessions;
      if (made == null) {
        TrailMigration.run(connect, timeout);
        made = TrailSessions.open(vertx, pool);
        sessions = made;
      }
      return made;
    } catch (FlywayException e) {
      throw failure(e);
    } finally {
      migration.unlock();
    }
  }

  private void checkOpen() throws TrailException {
    if (closed) {
      throw new TrailException.Unavailable("the trail is closed", null);
    }
  }

  /** A call of the database. */
  @FunctionalInterface
  private interface Call<T> {
    CompletionStage<T> begin();
  }

  private <T> T await(Call<T> call) throws TrailException {
    checkOpen();
    try {
      return call.begin().toCompletableFuture().get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new TrailException.Unavailable("the trail's database does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TrailException.Unavailable("interrupted", e);
    } catch (IllegalStateException | HibernateException e) {
      // a closed pool
      throw failure(e);
    }
  }

  private static TrailException failure(Throwable failure) {
    Throwable cause = answer(failure);
    String message = "the trail's database: " + (cause == null ? failure : cause).getMessage();
    String state = state(failure);
    return state != null && state.length() > 2 && REJECTED.contains(state.substring(0, 2))
        ? new TrailException.Rejected(message, failure)
        : new TrailException.Unavailable(message, failure);
  }

  /** The SQLSTATE of what the database answered; null if that is not the cause. */
  private static @Nullable String state(@Nullable Throwable failure) {
    return switch (answer(failure)) {
      case PgException e -> e.getSqlState();
      case SQLException e -> e.getSQLState();
      case null, default -> null;
    };
  }

  /**
   * What a driver says, without what Hibernate and Flyway say of it, which may have the statement;
   * null if that is not the cause.
   */
  private static @Nullable Throwable answer(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof PgException) && !(cause instanceof SQLException)) {
      cause = cause.getCause();
    }
    return cause;
  }

  @Override
  public void close() {
    migration.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      Stage.SessionFactory made = sessions;
      if (made != null) {
        made.close();
      }
      Future<Void> unused = pool.close();
    } finally {
      migration.unlock();
    }
  }
}

package dev.keelson.bench;

import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.EventFields;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.ObjectReference;
import dev.keelson.audit.event.RequestFacts;
import dev.keelson.audit.event.ResponseStatus;
import dev.keelson.audit.event.Stage;
import dev.keelson.audit.trail.TrailEvent;
import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailField;
import dev.keelson.audit.trail.TrailId;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.audit.trail.postgresql.PostgresTrail;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.PostgresProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Measures the audit trail in a PostgreSQL of this machine: events a second in batches of 1,000
 * (the target is 5,000), and the first page of searches by user and day and by object (50 ms).
 *
 * <p>Arguments: the number of events that the trail writes, 100,000 by default; the number of
 * events that searches find, 10,000,000 by default, spread over ten days before: the database makes
 * these itself, with the columns and the indexes of the others. They take 13 GB.
 */
public final class AuditTrailBench {

  private static final int EVENTS = 100_000;
  private static final int FILLED = 10_000_000;
  private static final int BATCH = 1000;
  private static final int DAYS = 10;
  private static final int USERS = 200;
  private static final int OBJECTS = 10_000;
  private static final int SEARCHES = 50;
  private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");

  /** A day of events like those of {@link #event}; the first of them, how many, and the day. */
  private static final String FILL =
      """
      INSERT INTO audit_event (id, audit_id, stage, level, username, impersonated, user_groups, verb,
        api_group, resource, subresource, namespace, name, uid, code, decision, source_ips,
        user_agent, text, json)
      SELECT lpad(to_hex(micros), 14, '0') || '-' || left(md5(n::text), 16),
        audit_id, 'ResponseComplete', 'Metadata', username, '',
        E'\\nsystem:authenticated\\nteam-' || n % 7 || E'\\n', verb, '', 'configmaps', '', namespace, name, '',
        '200', 'allow', E'\\n10.0.' || n % 250 || E'.7\\n',
        'kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0', uri,
        format('{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%s",'
          '"stage":"ResponseComplete","requestURI":"%s","verb":"%s","user":{"username":"%s",'
          '"groups":["system:authenticated","team-%s"]},"sourceIPs":["10.0.%s.7"],'
          '"userAgent":"kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0","objectRef":{"resource":'
          '"configmaps","namespace":"%s","name":"%s","apiVersion":"v1"},"responseStatus":{"metadata":'
          '{},"code":200},"requestReceivedTimestamp":"2026-03-01T00:00:00.000000Z","stageTimestamp":'
          '"2026-03-01T00:00:00.000000Z","annotations":{"authorization.k8s.io/decision":"allow",'
          '"authorization.k8s.io/reason":"RBAC: allowed by RoleBinding \\"users/bench\\" of Role'
          ' \\"bench\\""}}', audit_id, uri, verb, username, n % 7, n % 250, namespace, name)
      FROM (
        SELECT n, $4::bigint + (n - $1) * 86400000000 / $2 AS micros, md5('a' || n)::uuid AS audit_id,
          'user-' || n % $3 AS username, CASE WHEN n % 5 = 0 THEN 'update' ELSE 'get' END AS verb,
          'ns-' || n * 31 % $5 % 50 AS namespace, 'object-' || n * 31 % $5 AS name,
          '/api/v1/namespaces/ns-' || n * 31 % $5 % 50 || '/configmaps/object-' || n * 31 % $5
            || '?fieldmanager=bench' AS uri
        FROM generate_series($1::bigint, $1::bigint + $2::bigint - 1) n) rows
      """;

  private final TrailStore store;
  private final Pool database;
  private final PrintStream out;
  private final int events;

  private AuditTrailBench(TrailStore store, Pool database, PrintStream out, int events) {
    this.store = store;
    this.database = database;
    this.out = out;
    this.events = events;
  }

  /** Runs; the arguments are the numbers of events. */
  public static void main(String[] arguments) throws Exception {
    int events = arguments.length == 0 ? EVENTS : Integer.parseInt(arguments[0]);
    int filled = arguments.length < 2 ? FILLED : Integer.parseInt(arguments[1]);
    Vertx vertx = Vertx.vertx();
    try {
      if (arguments.length > 2) {
        run(vertx, arguments[2], events, filled);
      } else {
        try (PostgresProcess postgres = PostgresProcess.start()) {
          run(vertx, postgres.url(), events, filled);
        }
      }
    } finally {
      await(vertx.close());
    }
  }

  private static void run(Vertx vertx, String url, int events, int filled) throws Exception {
    try (TrailStore store =
        new PostgresTrail(vertx, PgConnectOptions.fromUri(url), Duration.ofSeconds(60))) {
      Pool database = PgBuilder.pool().connectingTo(url).using(vertx).build();
      AuditTrailBench bench = new AuditTrailBench(store, database, System.out, events);
      if (store.bounds().newest() == 0) {
        bench.write();
        bench.fill(filled);
      }
      bench.search();
      await(database.close());
    }
  }

  private static void await(Future<?> future) throws Exception {
    Object unused = future.toCompletionStage().toCompletableFuture().get();
  }

  /** Lets the database make events, a day after the other. */
  private void fill(int filled) throws Exception {
    long begin = System.nanoTime();
    int each = filled / DAYS;
    for (int day = 0; day < DAYS; day++) {
      Instant midnight = BEGIN.plus(Duration.ofDays(day));
      // so that the day has its partition
      store.append(List.of(event(filled + events + day, midnight)));
      await(
          database
              .preparedQuery(FILL)
              .execute(
                  Tuple.of(
                      (long) day * each,
                      (long) each,
                      (long) USERS,
                      midnight.toEpochMilli() * 1000,
                      (long) OBJECTS)));
    }
    // as autovacuum does a minute later
    await(database.query("VACUUM ANALYZE audit_event").execute());
    out.printf(
        Locale.ROOT,
        "%,d events made by the database in %.0f s%n",
        filled,
        (System.nanoTime() - begin) / 1e9);
  }

  private void write() throws TrailException {
    long begin = System.nanoTime();
    for (int from = 0; from < events; from += BATCH) {
      List<TrailEvent> batch = new ArrayList<>(BATCH);
      for (int i = from; i < Math.min(events, from + BATCH); i++) {
        batch.add(
            event(
                i,
                BEGIN
                    .plus(Duration.ofDays(DAYS))
                    .plusNanos((long) (i * (Duration.ofDays(1).toNanos() / (double) events)))));
      }
      store.append(batch);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    out.printf(
        Locale.ROOT,
        "%,d events in %.1f s: %,.0f events/s, with their encoding%n",
        events,
        seconds,
        events / seconds);
  }

  private static TrailEvent event(int number, Instant time) {
    int object = number * 31 % OBJECTS;
    String namespace = "ns-" + object % 50;
    String name = "object-" + object;
    RequestFacts facts =
        new RequestFacts(
            new UUID(number, number * 0x9E3779B97F4A7C15L).toString(),
            "/api/v1/namespaces/" + namespace + "/configmaps/" + name + "?fieldManager=bench",
            number % 5 == 0 ? "update" : "get",
            new UserInfo(
                "user-" + number % USERS,
                "",
                List.of("system:authenticated", "team-" + number % 7),
                Map.of()),
            List.of("10.0." + number % 250 + ".7"),
            "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0",
            time);
    return TrailEvent.of(
        new Event(
            new EventFields(
                Level.METADATA,
                Stage.RESPONSE_COMPLETE,
                facts,
                null,
                new ObjectReference("configmaps", namespace, name, "", "", "v1", "", ""),
                ResponseStatus.of(200),
                null,
                null,
                time,
                Map.of(
                    "authorization.k8s.io/decision",
                    "allow",
                    "authorization.k8s.io/reason",
                    "RBAC: allowed by RoleBinding \"users/bench\" of Role \"bench\""))));
  }

  private void search() throws TrailException {
    measure(
        "by user and day",
        i -> {
          Instant day = BEGIN.plus(Duration.ofDays(i % DAYS));
          return new TrailQuery(
              List.of(TrailQuery.is(TrailField.USER, "user-" + i)),
              TrailId.from(day),
              TrailId.from(day.plus(Duration.ofDays(1))),
              List.of());
        });
    measure(
        "by object",
        i -> {
          int object = i * 31 % OBJECTS;
          return TrailQuery.of(
              TrailQuery.is(TrailField.API_GROUP, ""),
              TrailQuery.is(TrailField.RESOURCE, "configmaps"),
              TrailQuery.is(TrailField.NAMESPACE, "ns-" + object % 50),
              TrailQuery.is(TrailField.NAME, "object-" + object));
        });
    measure("the newest", i -> TrailQuery.ALL);
    measure(
        "by code, which no event has", i -> TrailQuery.of(TrailQuery.is(TrailField.CODE, "500")));
  }

  /** The query of a round. */
  @FunctionalInterface
  private interface Queries {
    TrailQuery of(int round);
  }

  private void measure(String what, Queries queries) throws TrailException {
    double[] millis = new double[SEARCHES];
    int found = 0;
    for (int i = 0; i < SEARCHES; i++) {
      long begin = System.nanoTime();
      found += store.search(queries.of(i), TrailStore.NEWEST, 501).size();
      millis[i] = (System.nanoTime() - begin) / 1e6;
    }
    Arrays.sort(millis);
    out.printf(
        Locale.ROOT,
        "search %s: p50 %.1f ms, p99 %.1f ms (%d events a page on average)%n",
        what,
        millis[SEARCHES / 2],
        millis[SEARCHES * 99 / 100],
        found / SEARCHES);
  }
}

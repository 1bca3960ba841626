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
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
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
 * (the target is 5,000), and the first page of searches by user and day and by object (50 ms). The
 * number of events is the argument, 1,000,000 by default, spread over ten days.
 */
public final class AuditTrailBench {

  private static final int EVENTS = 1_000_000;
  private static final int BATCH = 1000;
  private static final int DAYS = 10;
  private static final int USERS = 200;
  private static final int OBJECTS = 10_000;
  private static final int SEARCHES = 50;
  private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");

  private final TrailStore store;
  private final PrintStream out;
  private final int events;

  private AuditTrailBench(TrailStore store, PrintStream out, int events) {
    this.store = store;
    this.out = out;
    this.events = events;
  }

  /** Runs; the argument is the number of events. */
  public static void main(String[] arguments) throws Exception {
    int events = arguments.length == 0 ? EVENTS : Integer.parseInt(arguments[0]);
    Vertx vertx = Vertx.vertx();
    try (PostgresProcess postgres = PostgresProcess.start();
        TrailStore store =
            new PostgresTrail(
                vertx, PgConnectOptions.fromUri(postgres.url()), Duration.ofSeconds(60))) {
      AuditTrailBench bench = new AuditTrailBench(store, System.out, events);
      bench.fill();
      bench.search();
    } finally {
      Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    }
  }

  private void fill() throws TrailException {
    long begin = System.nanoTime();
    for (int from = 0; from < events; from += BATCH) {
      List<TrailEvent> batch = new ArrayList<>(BATCH);
      for (int i = from; i < Math.min(events, from + BATCH); i++) {
        batch.add(event(i));
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

  private TrailEvent event(int number) {
    Instant time =
        BEGIN.plusNanos((long) (number * (Duration.ofDays(DAYS).toNanos() / (double) events)));
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

package dev.keelson.server.audit;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.audit.Acceptance;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What each flag of the audit does: a row for each with its default and its effect on what the back
 * ends hold. The values themselves are in {@link dev.keelson.config.AuditFlagsTest}.
 */
@Timeout(120)
class AuditOptionEffectsTest {

  private static final Pattern DOCUMENTED =
      Pattern.compile("\\| `(--audit-[a-z-]+)` \\| [A-Z/]+ \\| (?:`([^`]*)`)? ?\\|.*");

  /** A device that has no room. */
  private static final String FULL = "--audit-log-path=/dev/full";

  private static final String NEVER = "-batch-max-wait=1h";

  @TempDir Path directory;

  private final IdentityProvider webhook = new IdentityProvider();
  private final List<String> posts = new CopyOnWriteArrayList<>();

  /** So many posts fail before one succeeds. */
  private final AtomicInteger failing = new AtomicInteger();

  private final AtomicInteger started = new AtomicInteger();

  /** What a flag does, as an assertion. */
  private interface Effect {
    void check() throws Exception;
  }

  private record Row(String flag, String byDefault, Effect effect) {}

  /** A back end with all that the rows of batches need to know of it. */
  private enum BackEnd {
    LOG,
    WEBHOOK,
    TRAIL;

    String prefix() {
      return "--audit-" + name().toLowerCase(Locale.ROOT);
    }
  }

  @AfterEach
  void stop() {
    webhook.close();
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    rows.add(new Row("--audit-policy-file", "", this::policy));
    rows.add(new Row("--audit-log-path", "", this::logPath));
    rows.add(new Row("--audit-log-format", "json", this::logFormat));
    rows.add(new Row("--audit-log-version", "audit.k8s.io/v1", this::logVersion));
    rows.add(new Row("--audit-log-maxage", "0", this::logMaxAge));
    rows.add(new Row("--audit-log-maxbackup", "0", this::logMaxBackup));
    rows.add(new Row("--audit-log-maxsize", "0", this::logMaxSize));
    rows.add(new Row("--audit-log-compress", "false", this::logCompress));
    rows.add(new Row("--audit-log-mode", "blocking", this::logMode));
    delivery(rows, BackEnd.LOG, new String[] {"1", "0s", "false", "0", "0", "false"});
    rows.add(new Row("--audit-webhook-config-file", "", this::webhookConfigFile));
    rows.add(new Row("--audit-webhook-version", "audit.k8s.io/v1", this::webhookConfigFile));
    rows.add(new Row("--audit-webhook-initial-backoff", "10s", this::webhookBackOff));
    rows.add(new Row("--audit-webhook-mode", "batch", this::webhookMode));
    delivery(rows, BackEnd.WEBHOOK, new String[] {"400", "30s", "true", "10", "15", "false"});
    rows.add(new Row("--audit-trail", "", this::trail));
    rows.add(new Row("--audit-trail-retention", "2160h", this::trailRetention));
    rows.add(new Row("--audit-trail-spool-size", "268435456", this::trailSpoolSize));
    rows.add(new Row("--audit-trail-mode", "batch", this::trailMode));
    delivery(rows, BackEnd.TRAIL, new String[] {"400", "100ms", "false", "10", "15", "true"});
    rows.add(new Row("--audit-dynamic-configuration", "false", this::dynamic));
    return rows;
  }

  private void delivery(List<Row> rows, BackEnd end, String[] defaults) {
    String flag = end.prefix();
    rows.add(new Row(flag + "-batch-buffer-size", "10000", () -> bufferSize(end)));
    rows.add(new Row(flag + "-batch-max-size", defaults[0], () -> batchSize(end)));
    rows.add(new Row(flag + "-batch-max-wait", defaults[1], () -> batchWait(end)));
    rows.add(new Row(flag + "-batch-throttle-enable", defaults[2], () -> throttle(end)));
    rows.add(new Row(flag + "-batch-throttle-qps", defaults[3], () -> throttleRate(end)));
    rows.add(new Row(flag + "-batch-throttle-burst", defaults[4], () -> throttleBurst(end)));
    rows.add(new Row(flag + "-truncate-enabled", defaults[5], () -> truncation(end)));
    rows.add(new Row(flag + "-truncate-max-event-size", "102400", () -> eventSize(end)));
    rows.add(new Row(flag + "-truncate-max-batch-size", "10485760", () -> batchBytes(end)));
  }

  @TestFactory
  Stream<DynamicTest> effects() {
    return rows().stream()
        .map(row -> DynamicTest.dynamicTest(row.flag(), () -> row.effect().check()));
  }

  @Test
  void everyDocumentedOption_hasARowWithItsDefault() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("docs", "flags.md"))) {
      Matcher matcher = DOCUMENTED.matcher(line);
      if (matcher.matches()) {
        documented.put(matcher.group(1), Objects.requireNonNullElse(matcher.group(2), ""));
      }
    }

    Map<String, String> checked = new TreeMap<>();
    rows().forEach(row -> checked.put(row.flag(), row.byDefault()));
    assertThat(checked).isEqualTo(documented).hasSizeGreaterThan(40);
  }

  private void policy() throws IOException {
    String file =
        Files.writeString(
                directory.resolve("none.yaml"),
                "{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: None, users:"
                    + " [alice]}]}")
            .toString();
    assertThat(logged("--audit-policy-file=" + file)).isEmpty();
    assertThat(logged()).singleElement().asString().contains("\"level\":\"Metadata\"");
  }

  private void logPath() throws IOException {
    assertThat(logged()).singleElement().asString().contains("\"auditID\":\"e0\"");
    try (AuditUnderFlags other = start("--audit-trail=sqlite:" + fresh("trail.db"))) {
      assertThat(other.request("e0")).isEqualTo(Acceptance.ACCEPTED);
    }
    assertThat(directory.resolve(started + "/audit.log")).doesNotExist();
  }

  private void logFormat() throws IOException {
    assertThat(logged("--audit-log-format=legacy"))
        .singleElement()
        .asString()
        .contains(" AUDIT: id=\"e0\" stage=\"ResponseComplete\"");
    assertThat(logged()).singleElement().asString().startsWith("{\"kind\":\"Event\"");
  }

  private void logVersion() throws IOException {
    assertThat(logged("--audit-log-version=audit.k8s.io/v1"))
        .singleElement()
        .asString()
        .contains("\"apiVersion\":\"audit.k8s.io/v1\"");
  }

  private void logMaxAge() throws IOException {
    Path log = fresh("audit.log");
    Path old = backup(log, "2001-01-01T00-00-00.000");
    try (AuditUnderFlags kept = start("--audit-log-path=" + log, "--audit-log-maxbackup=9")) {
      assertThat(kept.lost("log")).isZero();
    }
    assertThat(old).exists();
    try (AuditUnderFlags removed = start("--audit-log-path=" + log, "--audit-log-maxage=1")) {
      assertEventually(() -> assertThat(old).doesNotExist());
      assertThat(removed.lost("log")).isZero();
    }
  }

  private void logMaxBackup() throws IOException {
    Path log = fresh("audit.log");
    Path older = backup(log, "2001-01-01T00-00-00.000");
    Path newer = backup(log, "2001-01-02T00-00-00.000");
    try (AuditUnderFlags one = start("--audit-log-path=" + log, "--audit-log-maxbackup=1")) {
      assertEventually(() -> assertThat(older).doesNotExist());
      assertThat(one.lost("log")).isZero();
    }
    assertThat(newer).exists();
  }

  private void logMaxSize() throws IOException {
    Path log = fresh("audit.log");
    try (AuditUnderFlags large = start("--audit-log-path=" + log, bodies())) {
      assertThat(large.request("a", 700_000)).isEqualTo(Acceptance.ACCEPTED);
      assertThat(large.request("b", 700_000)).isEqualTo(Acceptance.ACCEPTED);
    }
    assertThat(files(log)).hasSize(1);
    try (AuditUnderFlags small =
        start("--audit-log-path=" + log, bodies(), "--audit-log-maxsize=1")) {
      assertThat(small.request("c", 700_000)).isEqualTo(Acceptance.ACCEPTED);
    }
    assertThat(files(log)).hasSize(2);
  }

  private void logCompress() throws IOException {
    Path log = fresh("audit.log");
    Path plain = backup(log, "2001-01-01T00-00-00.000");
    try (AuditUnderFlags compressing = start("--audit-log-path=" + log, "--audit-log-compress")) {
      assertEventually(() -> assertThat(plain).doesNotExist());
      assertThat(compressing.lost("log")).isZero();
    }
    assertThat(Path.of(plain + ".gz")).exists();
  }

  /** On a full disk the strict mode refuses, the others count what they lose. */
  private void logMode() throws IOException {
    try (AuditUnderFlags strict = start(FULL, "--audit-log-mode=blocking-strict")) {
      assertThat(strict.request("e")).isEqualTo(Acceptance.REFUSED);
      assertThat(strict.lost("log")).isEqualTo(1);
    }
    try (AuditUnderFlags blocking = start(FULL)) {
      assertThat(blocking.request("e")).isEqualTo(Acceptance.ACCEPTED);
      assertThat(blocking.lost("log")).isEqualTo(1);
    }
    try (AuditUnderFlags batch = start(FULL, "--audit-log-mode=batch")) {
      assertThat(batch.request("e")).isEqualTo(Acceptance.ACCEPTED);
      assertEventually(() -> assertThat(batch.lost("log")).isEqualTo(1));
    }
  }

  private void webhookConfigFile() throws IOException {
    try (AuditUnderFlags audit = start(BackEnd.WEBHOOK, "--audit-webhook-mode=blocking")) {
      assertThat(audit.request("e")).isEqualTo(Acceptance.ACCEPTED);
    }
    assertThat(posts)
        .singleElement()
        .asString()
        .startsWith("{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\"");
  }

  private void webhookBackOff() throws IOException {
    failing.set(1);
    try (AuditUnderFlags soon =
        start(
            BackEnd.WEBHOOK,
            "--audit-webhook-mode=blocking",
            "--audit-webhook-initial-backoff=1ms")) {
      assertThat(soon.request("e")).isEqualTo(Acceptance.ACCEPTED);
      assertThat(posts).hasSize(1);
    }
  }

  private void webhookMode() throws IOException {
    failing.set(Integer.MAX_VALUE);
    try (AuditUnderFlags strict =
        start(
            BackEnd.WEBHOOK,
            "--audit-webhook-mode=blocking-strict",
            "--audit-webhook-initial-backoff=1ms")) {
      assertThat(strict.request("e")).isEqualTo(Acceptance.REFUSED);
    }
    try (AuditUnderFlags batch =
        start(
            BackEnd.WEBHOOK,
            "--audit-webhook-batch-max-wait=0s",
            "--audit-webhook-initial-backoff=1ms")) {
      assertThat(batch.request("e")).isEqualTo(Acceptance.ACCEPTED);
      assertEventually(() -> assertThat(batch.lost("webhook")).isEqualTo(1));
    }
    failing.set(0);
  }

  private void trail() throws IOException {
    try (AuditUnderFlags audit = start(BackEnd.TRAIL, "--audit-trail-mode=blocking-strict")) {
      assertThat(audit.request("e")).isEqualTo(Acceptance.ACCEPTED);
      assertThat(audit.trail()).singleElement().asString().contains("\"auditID\":\"e\"");
    }
  }

  private void trailRetention() throws IOException {
    String url = "--audit-trail=sqlite:" + fresh("trail.db");
    String mode = "--audit-trail-mode=blocking-strict";
    try (AuditUnderFlags before = start(url, mode)) {
      assertThat(before.request("e")).isEqualTo(Acceptance.ACCEPTED);
    }
    Path data = directory.resolve("later");
    try (AuditUnderFlags kept =
        new AuditUnderFlags(data, Duration.ofDays(80), List.of(url, mode))) {
      assertThat(kept.trail()).hasSize(1);
    }
    try (AuditUnderFlags removed =
        new AuditUnderFlags(
            data, Duration.ofDays(80), List.of(url, mode, "--audit-trail-retention=24h"))) {
      assertEventually(() -> assertThat(removed.trail()).isEmpty());
    }
  }

  /** What the spool has no room for while the database is away is lost and counted. */
  private void trailSpoolSize() throws Exception {
    for (String size : List.of("268435456", "1048576")) {
      Path file = fresh("trail.db");
      try (AuditUnderFlags audit =
          start(
              "--audit-trail=sqlite:" + file,
              bodies(),
              "--audit-trail-mode=blocking",
              "--audit-trail-spool-size=" + size)) {
        breakTrail(file);
        for (int i = 0; i < 20; i++) {
          assertThat(audit.request("e" + i, 90_000)).isEqualTo(Acceptance.ACCEPTED);
        }
        if (size.equals("1048576")) {
          assertThat(audit.lost("trail")).isBetween(8, 19);
        } else {
          assertThat(audit.lost("trail")).isZero();
        }
      }
    }
  }

  private void trailMode() throws Exception {
    Path file = fresh("trail.db");
    try (AuditUnderFlags strict =
        start("--audit-trail=sqlite:" + file, "--audit-trail-mode=blocking-strict")) {
      breakTrail(file);
      assertThat(strict.request("e")).isEqualTo(Acceptance.REFUSED);
    }
    Path other = fresh("trail.db");
    try (AuditUnderFlags batch = start("--audit-trail=sqlite:" + other)) {
      breakTrail(other);
      assertThat(batch.request("e")).isEqualTo(Acceptance.ACCEPTED);
    }
  }

  private void dynamic() throws IOException {
    Path log = fresh("audit.log");
    try (AuditUnderFlags on =
        start(
            "--audit-log-path=" + log,
            "--audit-dynamic-configuration",
            "--feature-gates=DynamicAuditing=true")) {
      assertThat(on.request("e")).isEqualTo(Acceptance.ACCEPTED);
      assertThat(on.sinksAskedFor).hasPositiveValue();
    }
    try (AuditUnderFlags off = start("--audit-log-path=" + log)) {
      assertThat(off.request("e")).isEqualTo(Acceptance.ACCEPTED);
      assertThat(off.sinksAskedFor).hasValue(0);
    }
  }

  private void bufferSize(BackEnd end) throws IOException {
    String flag = end.prefix();
    try (AuditUnderFlags audit =
        batched(end, flag + NEVER, flag + "-batch-max-size=9", flag + "-batch-buffer-size=2")) {
      requests(audit, 3);
      assertThat(audit.lost("buffered")).isEqualTo(1);
    }
    try (AuditUnderFlags audit = batched(end, flag + NEVER, flag + "-batch-max-size=9")) {
      requests(audit, 3);
      assertThat(audit.lost("buffered")).isZero();
    }
  }

  private void batchSize(BackEnd end) throws IOException {
    String flag = end.prefix();
    try (AuditUnderFlags audit = batched(end, flag + NEVER, flag + "-batch-max-size=2")) {
      requests(audit, 3);
      assertEventually(() -> assertThat(held(end, audit)).isEqualTo(2));
    }
  }

  private void batchWait(BackEnd end) throws IOException {
    String flag = end.prefix();
    try (AuditUnderFlags audit =
        batched(end, flag + "-batch-max-wait=1ms", flag + "-batch-max-size=9")) {
      requests(audit, 1);
      assertEventually(() -> assertThat(held(end, audit)).isEqualTo(1));
    }
    try (AuditUnderFlags audit = batched(end, flag + NEVER, flag + "-batch-max-size=9")) {
      requests(audit, 1);
      assertThat(held(end, audit)).isZero();
    }
  }

  /** One batch in a thousand seconds, and without the throttle as many as there are. */
  private void throttle(BackEnd end) throws IOException {
    String flag = end.prefix();
    try (AuditUnderFlags audit = throttled(end, flag + "-batch-throttle-enable=false", "0.001")) {
      requests(audit, 3);
      assertEventually(() -> assertThat(held(end, audit)).isEqualTo(3));
    }
    throttleBurst(end);
  }

  private void throttleRate(BackEnd end) throws IOException {
    String enable = end.prefix() + "-batch-throttle-enable=true";
    try (AuditUnderFlags audit = throttled(end, enable, "1000")) {
      requests(audit, 3);
      assertEventually(() -> assertThat(held(end, audit)).isEqualTo(3));
    }
  }

  private void throttleBurst(BackEnd end) throws IOException {
    String enable = end.prefix() + "-batch-throttle-enable=true";
    try (AuditUnderFlags audit = throttled(end, enable, "0.001")) {
      requests(audit, 3);
      assertEventually(() -> assertThat(held(end, audit)).isEqualTo(2));
    }
  }

  private AuditUnderFlags throttled(BackEnd end, String enable, String rate) throws IOException {
    String flag = end.prefix();
    return batched(
        end,
        enable,
        flag + "-batch-throttle-qps=" + rate,
        flag + "-batch-throttle-burst=2",
        flag + "-batch-max-wait=0s",
        flag + "-batch-max-size=1");
  }

  private void truncation(BackEnd end) throws IOException {
    String flag = end.prefix() + "-truncate-enabled=";
    assertThat(stored(end, 200_000, flag + "true")).contains("audit.k8s.io/truncated");
    assertThat(stored(end, 200_000, flag + "false")).doesNotContain("audit.k8s.io/truncated");
  }

  private void eventSize(BackEnd end) throws IOException {
    String flag = end.prefix() + "-truncate-";
    assertThat(stored(end, 5000, flag + "enabled", flag + "max-event-size=3000"))
        .contains("audit.k8s.io/truncated");
    assertThat(stored(end, 5000, flag + "enabled")).doesNotContain("audit.k8s.io/truncated");
  }

  /** The webhook shows how a batch is split; elsewhere the parts are written one after another. */
  private void batchBytes(BackEnd end) throws IOException {
    String flag = end.prefix() + "-truncate-";
    assertThatThrownBy(() -> start(end, flag + "enabled", flag + "max-batch-size=102399").close())
        .hasMessageContaining("must be greater than max event size");
    String batch = end.prefix() + "-batch-max-";
    try (AuditUnderFlags audit =
        batched(
            end,
            bodies(),
            batch + "wait=1h",
            batch + "size=2",
            flag + "enabled",
            flag + "max-event-size=5000",
            flag + "max-batch-size=5000")) {
      assertThat(audit.request("a", 3000)).isEqualTo(Acceptance.ACCEPTED);
      assertThat(audit.request("b", 3000)).isEqualTo(Acceptance.ACCEPTED);
      assertEventually(() -> assertThat(held(end, audit)).isEqualTo(2));
      if (end == BackEnd.WEBHOOK) {
        assertThat(posts).hasSize(2);
      }
    }
  }

  /** The one event of a request with a body of some length. */
  private String stored(BackEnd end, int body, String... flags) throws IOException {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add(bodies());
    all.add(end.prefix() + "-mode=blocking-strict");
    try (AuditUnderFlags audit = start(end, all.toArray(new String[0]))) {
      assertThat(audit.request("e", body)).isEqualTo(Acceptance.ACCEPTED);
      return switch (end) {
        case LOG -> Files.readString(log());
        case WEBHOOK -> posts.getLast();
        case TRAIL -> audit.trail().getFirst();
      };
    }
  }

  private AuditUnderFlags batched(BackEnd end, String... flags) throws IOException {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add(end.prefix() + "-mode=batch");
    return start(end, all.toArray(new String[0]));
  }

  /** How many events have arrived. */
  private int held(BackEnd end, AuditUnderFlags audit) {
    return switch (end) {
      case LOG -> lines(log()).size();
      case WEBHOOK -> posts.stream().mapToInt(AuditOptionEffectsTest::events).sum();
      case TRAIL -> audit.trail().size();
    };
  }

  private static int events(String list) {
    return Math.toIntExact(Pattern.compile("\"auditID\":").matcher(list).results().count());
  }

  private static void requests(AuditUnderFlags audit, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(audit.request("e" + i)).isEqualTo(Acceptance.ACCEPTED);
    }
  }

  /** The lines of the log after a request. */
  private List<String> logged(String... flags) throws IOException {
    try (AuditUnderFlags audit = start(BackEnd.LOG, flags)) {
      assertThat(audit.request("e0")).isEqualTo(Acceptance.ACCEPTED);
    }
    return lines(log());
  }

  private AuditUnderFlags start(BackEnd end, String... flags) throws IOException {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add(
        switch (end) {
          case LOG -> "--audit-log-path=" + fresh("audit.log");
          case WEBHOOK -> "--audit-webhook-config-file=" + kubeconfig();
          case TRAIL -> "--audit-trail=sqlite:" + fresh("trail.db");
        });
    return start(all.toArray(new String[0]));
  }

  private AuditUnderFlags start(String... flags) {
    return new AuditUnderFlags(directory.resolve(started + "/data"), Duration.ZERO, List.of(flags));
  }

  /** The log of the audit that was started last. */
  private Path log() {
    return directory.resolve(started + "/audit.log");
  }

  private Path fresh(String name) throws IOException {
    return Files.createDirectories(directory.resolve(String.valueOf(started.incrementAndGet())))
        .resolve(name);
  }

  private Path kubeconfig() throws IOException {
    posts.clear();
    webhook.path("/audit", this::take);
    return Files.writeString(
        fresh("webhook.yaml"), webhook.kubeconfig("/audit", webhook.certificatePem()));
  }

  private @Nullable String take(HttpExchange exchange) {
    if (failing.getAndDecrement() > 0) {
      return null;
    }
    failing.set(0);
    try {
      posts.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      return "{}";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The flag of a policy that records request objects. */
  private String bodies() throws IOException {
    Path file = directory.resolve("bodies.yaml");
    Files.writeString(
        file, "{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Request}]}");
    return "--audit-policy-file=" + file;
  }

  private static void breakTrail(Path file) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE audit_event");
    }
  }

  private static Path backup(Path log, String time) throws IOException {
    return Files.writeString(log.resolveSibling("audit-" + time + ".log"), "{}\n");
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path log) throws IOException {
    try (Stream<Path> files = Files.list(Objects.requireNonNull(log.getParent()))) {
      return files.filter(file -> String.valueOf(file.getFileName()).endsWith(".log")).toList();
    }
  }

  @Test
  void hangUp_makesTheServerOpenItsLogAgain() throws Exception {
    Signals.assumeHangUpArrives();
    try (AuditUnderFlags audit = start(BackEnd.LOG)) {
      assertThat(audit.request("before")).isEqualTo(Acceptance.ACCEPTED);
      Path moved = Files.move(log(), log().resolveSibling("moved.log"));
      // the clock stands still, so that nothing but the signal makes the path be looked at
      assertThat(audit.request("meanwhile")).isEqualTo(Acceptance.ACCEPTED);
      assertThat(lines(moved)).hasSize(2);

      audit.reopenOnHangUp();
      Signals.hangUp(ProcessHandle.current().pid());

      assertEventually(
          () -> {
            assertThat(audit.request("after")).isEqualTo(Acceptance.ACCEPTED);
            assertThat(log()).exists();
          });
      assertThat(lines(log()))
          .isNotEmpty()
          .allMatch(line -> line.contains("\"auditID\":\"after\""));
    }
  }
}

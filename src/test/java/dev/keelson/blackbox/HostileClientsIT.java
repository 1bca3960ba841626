package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.blackbox.attack.Attack;
import dev.keelson.blackbox.attack.Attacks;
import dev.keelson.blackbox.attack.GoodClient;
import dev.keelson.blackbox.attack.Target;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile clients beside one that behaves, on a server with 512 MiB (256 MiB native). With {@code
 * -Dkeelson.attack=N} N times as much is sent, for half a minute each, and the client that behaves
 * may wait for a second at most; the table is {@code target/attack.md}.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class HostileClientsIT {

  private static final int FACTOR = Integer.getInteger("keelson.attack", 1);

  /** The classes to play, by their names. */
  private static final Pattern ONLY =
      Pattern.compile(System.getProperty("keelson.attack.only", ".*"));

  private static final Duration TIME = FACTOR == 1 ? Duration.ofSeconds(1) : Duration.ofSeconds(30);

  /** Of the client that behaves; the short run shares its processors with other tests. */
  private static final long MOST_MILLIS = FACTOR == 1 ? 5_000 : 1_000;

  /** The heap, and what a JVM with its compiler takes beside it. */
  private static final long MOST_MEBIBYTES = KeelsonProcess.isNative() ? 400 : 900;

  private final List<String> table = new ArrayList<>();
  private KeelsonProcess server;
  private GoodClient good;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException, InterruptedException {
    List<String> flags = new ArrayList<>(List.of("--sqlite-synchronous=OFF"));
    if (KeelsonProcess.isNative()) {
      flags.add("-Xmx256m");
    }
    server = KeelsonProcess.start(directory, flags);
    good = new GoodClient(server);
    List<Long> unused = good.run(Duration.ofSeconds(2));
    table.add("| class | sent | p99 of the good client | resident memory | result |");
    table.add("|---|---|---|---|---|");
  }

  @AfterAll
  void stop() throws IOException {
    Path unused = Files.write(Path.of("target", "attack.md"), table);
    good.close();
    server.close();
  }

  static Stream<Attack> attacks() {
    return Attacks.all().stream().filter(attack -> ONLY.matcher(attack.name()).matches());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  void clientThatBehaves_isNotHurt(Attack attack) throws Exception {
    List<Long> times;
    long memory;
    try (Target target = new Target(server, FACTOR)) {
      CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
      Thread attacker = Thread.ofPlatform().daemon().start(() -> play(attack, target, sent));
      times = good.run(TIME);
      // what cannot be sent, since the server does not read it, ends with its connections
      boolean all = attacker.join(Duration.ofSeconds(FACTOR == 1 ? 5 : 60));
      memory = server.residentKibibytes() / 1024;
      target.close();
      if (!all) {
        attacker.interrupt();
      }
      assertThat(attacker.join(Duration.ofSeconds(30))).isTrue();
      assertThat(sent).isCompleted();
    }
    times.sort(null);
    long p99 = times.get(times.size() * 99 / 100);
    table.add(
        String.format(
            Locale.ROOT,
            "| %s | %s%s | %d ms | %d MiB | %s |",
            attack.name(),
            attack.sent(),
            FACTOR == 1 ? "" : ", times " + FACTOR,
            p99,
            memory,
            p99 < MOST_MILLIS && memory < MOST_MEBIBYTES ? "held" : "hurt"));

    assertThat(p99).as("milliseconds").isLessThan(MOST_MILLIS);
    assertThat(memory).as("MiB").isLessThan(MOST_MEBIBYTES);
    Eventually.assertEventually(() -> assertThat(good.missing()).isEmpty());
    Eventually.assertEventually(
        () -> assertThat(RestClient.nobody(server).get("/healthz").statusCode()).isEqualTo(200));
  }

  /** An IOException is a connection that the server has ended. */
  private static void play(Attack attack, Target target, CompletableFuture<@Nullable Void> sent) {
    try {
      attack.wave().send(target);
      sent.complete(null);
    } catch (IOException ended) {
      sent.complete(null);
    } catch (Exception e) {
      sent.completeExceptionally(new ExecutionException(attack.name(), e));
    }
  }
}

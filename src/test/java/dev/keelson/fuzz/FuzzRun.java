package dev.keelson.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code make fuzz}: every {@link FuzzTarget} under the fuzzer, each in JVMs of its own, and a
 * summary. The run fails if anything was found, or if there were fewer inputs than asked for.
 *
 * <p>A target has two legs: the first tenth of its inputs with the comparisons of our code traced,
 * by which the fuzzer learns what words are asked for, and the rest, several times as fast, by
 * branches alone.
 */
public final class FuzzRun {

  private static final Path PLACE = Path.of("target/fuzz");

  /** How many of ten million inputs each target gets. */
  private static final Map<FuzzTarget, Integer> SHARES =
      new EnumMap<>(
          Map.of(
              FuzzTarget.JSON, 2_500_000,
              FuzzTarget.YAML, 1_000_000,
              FuzzTarget.PROTOBUF, 2_500_000,
              FuzzTarget.STORED, 1_500_000,
              FuzzTarget.NEGOTIATION, 1_500_000,
              FuzzTarget.PATCH, 600_000,
              FuzzTarget.TEXTS, 500_000));

  private static final String INSTRUMENTED =
      String.join(
          ":",
          "dev.keelson.schema.**",
          "dev.keelson.object.**",
          "dev.keelson.http.**",
          "dev.keelson.api.**",
          "com.fasterxml.jackson.core.json.**",
          "org.snakeyaml.engine.v2.scanner.**",
          "org.snakeyaml.engine.v2.parser.**");

  private static final Pattern OURS =
      Pattern.compile("keelson-fuzz inputs=(\\d+) slowest-micros=(\\d+) largest-kib=(\\d+)");
  private static final Pattern MEMORY = Pattern.compile("stat::peak_rss_mb: +(\\d+)");

  private FuzzRun() {}

  /** What a JVM of the fuzzer did. */
  private record Leg(
      FuzzTarget target, int exit, long inputs, long nanos, long micros, long kib, long rss) {}

  /**
   * {@code inputs jobs targets}: how many inputs in sum, how many JVMs at a time, and {@code ALL}
   * or names with commas between them.
   */
  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    long inputs = Long.parseLong(arguments[0]);
    int jobs = Integer.parseInt(arguments[1]);
    List<FuzzTarget> targets =
        arguments[2].equals("ALL")
            ? List.of(FuzzTarget.values())
            : Arrays.stream(arguments[2].split(",", -1)).map(FuzzTarget::valueOf).toList();
    long shares = targets.stream().mapToLong(FuzzRun::share).sum();
    List<Callable<List<Leg>>> runs = new ArrayList<>();
    for (FuzzTarget target : targets) {
      long share = (inputs * share(target) + shares - 1) / shares;
      runs.add(() -> target(target, share));
    }
    List<Leg> legs = new ArrayList<>();
    try (ExecutorService workers = Executors.newFixedThreadPool(jobs)) {
      for (Future<List<Leg>> run : workers.invokeAll(runs)) {
        legs.addAll(run.get());
      }
    }
    System.exit(summary(legs, inputs) ? 0 : 1);
  }

  private static long share(FuzzTarget target) {
    return Objects.requireNonNull(SHARES.get(target));
  }

  private static List<Leg> target(FuzzTarget target, long inputs) throws IOException {
    Path seeds = directory(target, "seeds");
    int number = 0;
    for (byte[] seed : FuzzSeeds.of(target)) {
      Files.write(seeds.resolve("seed-" + number++), seed);
    }
    long traced = inputs / 10;
    Leg first = leg(target, traced, seeds, true);
    Leg second = leg(target, inputs - traced, seeds, false);
    return List.of(first, second);
  }

  private static Path directory(FuzzTarget target, String name) throws IOException {
    return Files.createDirectories(
        PLACE.resolve(name).resolve(target.name().toLowerCase(Locale.ROOT)));
  }

  private static Leg leg(FuzzTarget target, long inputs, Path seeds, boolean traced)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + Fuzz.class.getName(),
                "--target_args=" + target,
                "--instrumentation_includes=" + INSTRUMENTED,
                "--reproducer_path=" + PLACE));
    // what Jazzer looks for in other programs, such as commands and queries, is not in ours
    command.addAll(
        traced
            ? List.of("--custom_hook_includes=dev.keelson.**")
            : List.of("--trace=cov", "--custom_hook_includes=none"));
    command.addAll(
        List.of(
            "-artifact_prefix=" + PLACE + "/" + target + "-",
            "-runs=" + inputs,
            "-max_len=" + target.longest(),
            // an input that does not end; that it takes a second is told by the target itself
            "-timeout=20",
            "-rss_limit_mb=1500",
            "-reload=0",
            "-print_final_stats=1",
            directory(target, "corpus").toString(),
            seeds.toString()));
    long begin = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> end = new ArrayList<>();
    long[] figures = new long[4];
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher ours = OURS.matcher(line);
        Matcher memory = MEMORY.matcher(line);
        if (ours.find()) {
          for (int i = 0; i < 3; i++) {
            figures[i] = Long.parseLong(ours.group(i + 1));
          }
        } else if (memory.find()) {
          figures[3] = Long.parseLong(memory.group(1));
        }
        if (line.startsWith("#") && line.contains("exec/s")) {
          Files.writeString(PLACE.resolve(target + ".progress"), line + "\n");
        } else {
          end.add(line);
        }
      }
      int exit = process.waitFor();
      long nanos = System.nanoTime() - begin;
      Files.write(PLACE.resolve(target + (traced ? "-traced" : "") + ".log"), end);
      if (exit != 0) {
        end.subList(Math.max(0, end.size() - 60), end.size()).forEach(System.out::println);
      }
      return new Leg(target, exit, figures[0], nanos, figures[1], figures[2], figures[3]);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted", e));
    }
  }

  /** Prints what there was; whether all is well. */
  private static boolean summary(List<Leg> legs, long wanted) {
    System.out.printf(
        "%-12s %6s %11s %9s %11s %12s %9s%n",
        "target", "legs", "inputs", "inputs/s", "slowest", "most memory", "peak RSS");
    long sum = 0;
    boolean sound = true;
    for (FuzzTarget target : FuzzTarget.values()) {
      List<Leg> own = legs.stream().filter(leg -> leg.target == target).toList();
      if (own.isEmpty()) {
        continue;
      }
      long inputs = own.stream().mapToLong(Leg::inputs).sum();
      double seconds = own.stream().mapToLong(Leg::nanos).sum() / 1e9;
      boolean found = own.stream().anyMatch(leg -> leg.exit != 0);
      sum += inputs;
      sound &= !found;
      System.out.printf(
          "%-12s %6d %,11d %,9.0f %8.1f ms %8.1f MiB %5d MiB%s%n",
          target,
          own.size(),
          inputs,
          inputs / seconds,
          own.stream().mapToLong(Leg::micros).max().orElse(0) / 1e3,
          own.stream().mapToLong(Leg::kib).max().orElse(0) / 1024.0,
          own.stream().mapToLong(Leg::rss).max().orElse(0),
          found ? "  FOUND SOMETHING, see target/fuzz" : "");
    }
    System.out.printf("%,d inputs; asked for %,d%n", sum, wanted);
    return sound && sum >= wanted;
  }
}

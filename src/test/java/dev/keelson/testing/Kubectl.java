package dev.keelson.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs kubectl with its own home directory, so that settings and cached discovery of the user have
 * no effect. The program is {@code kubectl} on the PATH, or that of the system property {@code
 * keelson.kubectl} or the variable {@code KUBECTL}.
 *
 * @param kubeconfig the kubeconfig
 * @param home an existing directory for its cache
 */
public record Kubectl(Path kubeconfig, Path home) {

  private static final Duration LIMIT = Duration.ofSeconds(150);

  /**
   * The result of a run.
   *
   * @param exitCode 0 on success
   * @param out standard output
   * @param err standard error, warnings of the server included
   */
  public record Result(int exitCode, String out, String err) {}

  /** Runs kubectl, which must succeed; returns its output. */
  public String run(String... arguments) {
    return runWithInput("", arguments);
  }

  /** Runs kubectl with standard input, which must succeed. */
  public String runWithInput(String input, String... arguments) {
    Result result = attempt(input, arguments);
    if (result.exitCode() != 0) {
      throw new AssertionError(
          "kubectl %s ended with %d%n%s%s"
              .formatted(
                  String.join(" ", arguments), result.exitCode(), result.out(), result.err()));
    }
    return result.out();
  }

  /**
   * Waits until a CustomResourceDefinition is served. Its first {@code status.conditions} may be
   * null, as in kube-apiserver, and then {@code kubectl wait} ends with an error.
   *
   * @param definition its name, for example {@code widgets.shop.example.com}
   */
  public void awaitEstablished(String definition) {
    Eventually.assertEventually(
        () -> {
          String unused =
              run("wait", "--for=condition=established", "--timeout=30s", "crd/" + definition);
        });
  }

  /** Runs kubectl, which may fail. */
  public Result attempt(String input, String... arguments) {
    return attempt(builder(arguments), input);
  }

  private Result attempt(ProcessBuilder builder, String input) {
    List<String> command = builder.command();
    try {
      return finish(command, builder, input);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted during " + command, e);
    }
  }

  /** Runs kubectl with variables of the environment; it may fail. */
  public Result attemptWith(Map<String, String> environment, String input, String... arguments) {
    ProcessBuilder builder = builder(arguments);
    builder.environment().putAll(environment);
    return attempt(builder, input);
  }

  /**
   * Runs a program that runs kubectl itself, with its environment; it may fail.
   *
   * @param program the program and its first arguments; those of kubectl follow
   */
  public Result attemptBy(
      List<String> program, Map<String, String> environment, String... arguments) {
    ProcessBuilder builder = builder(arguments);
    builder.environment().putAll(environment);
    builder.command().addAll(0, program);
    return attempt(builder, "");
  }

  /** Runs kubectl with {@code editor}, a shell command, as its editor; it may fail. */
  public Result edit(String editor, String... arguments) {
    ProcessBuilder builder = builder(arguments);
    builder.environment().put("KUBE_EDITOR", editor);
    return attempt(builder, "");
  }

  /**
   * Starts a kubectl that does not terminate, such as {@code get --watch}. The caller reads its
   * output, standard error included, and stops it.
   */
  public Process start(String... arguments) {
    return startWith(Map.of(), arguments);
  }

  /** The same with variables of the environment. */
  public Process startWith(Map<String, String> environment, String... arguments) {
    ProcessBuilder builder = builder(arguments).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + builder.command(), e);
    }
  }

  private ProcessBuilder builder(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(program());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("KUBE"));
    environment.put("KUBECONFIG", kubeconfig.toString());
    environment.put("HOME", home.toString());
    return builder;
  }

  /** Files instead of pipes for the output: a process that prints much never waits for a reader. */
  private Result finish(List<String> command, ProcessBuilder builder, String input)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(home, "kubectl", ".out");
    Path err = Files.createTempFile(home, "kubectl", ".err");
    try {
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      try (OutputStream stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      }
      if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(
            "%s took longer than %s%n%s%s"
                .formatted(command, LIMIT, Files.readString(out), Files.readString(err)));
      }
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }

  /** Returns the name or the path of the program. */
  public static String program() {
    return Optional.ofNullable(System.getProperty("keelson.kubectl"))
        .or(() -> Optional.ofNullable(System.getenv("KUBECTL")))
        .orElse("kubectl");
  }
}

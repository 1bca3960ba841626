package dev.keelson.blackbox.session;

import dev.keelson.testing.Eventually;
import dev.keelson.testing.Kubectl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A run of a session in a directory of its own, which is its home and holds its kubeconfig. Each
 * command is run by a bash; variables and background processes last until the end of the session.
 */
public final class SessionRun {

  private static final Duration LIMIT = Duration.ofSeconds(90);

  private record Printed(int exitCode, String out, String err) {}

  private final Session session;
  private final Path directory;

  /**
   * Prepares a run.
   *
   * @param directory an empty directory
   * @param kubeconfig the administrator's kubeconfig
   */
  public SessionRun(Session session, Path directory, Path kubeconfig) {
    this.session = session;
    this.directory = directory;
    try {
      Files.createSymbolicLink(
          Files.createDirectory(directory.resolve(".bin")).resolve("kubectl"), kubectl());
      Files.copy(kubeconfig, directory.resolve("kubeconfig"));
      new Kubectl(directory.resolve("kubeconfig"), directory)
          .run("config", "set-context", "--current", "--namespace=" + session.name());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Finds the program, since the link to it needs its full path. */
  private static Path kubectl() {
    Path program = Path.of(Kubectl.program());
    if (program.getNameCount() > 1 || program.isAbsolute()) {
      return program.toAbsolutePath();
    }
    for (String part : System.getenv("PATH").split(":", -1)) {
      if (Files.isExecutable(Path.of(part).resolve(program))) {
        return Path.of(part).resolve(program).toAbsolutePath();
      }
    }
    throw new IllegalStateException(program + " is not on the PATH");
  }

  /** Runs all steps and returns a description of the differences; empty if there is none. */
  public String differences() {
    StringBuilder text = new StringBuilder();
    try {
      for (Step step : session.steps()) {
        text.append(difference(step));
      }
    } finally {
      endProcesses();
    }
    return text.toString();
  }

  private String difference(Step step) {
    if (!step.repeated()) {
      return difference(step, run(step));
    }
    try {
      Eventually.assertEventually(
          () -> {
            String difference = difference(step, run(step));
            if (!difference.isEmpty()) {
              throw new AssertionError(difference);
            }
          });
      return "";
    } catch (AssertionError e) {
      return difference(step, run(step));
    }
  }

  private String difference(Step step, Printed printed) {
    ExpectedText out = new ExpectedText(step.out());
    ExpectedText err = new ExpectedText(step.err());
    StringBuilder text = new StringBuilder();
    if (printed.exitCode() != step.exitCode()) {
      text.append("  exit code %d, not %d\n".formatted(printed.exitCode(), step.exitCode()));
    }
    if (!out.matches(printed.out())) {
      text.append("  standard output:\n").append(out.difference(printed.out()));
    }
    if (!err.matches(printed.err())) {
      text.append("  standard error:\n").append(err.difference(printed.err()));
    }
    return text.isEmpty()
        ? ""
        : "%s.txt:%d: %s\n%s".formatted(session.name(), step.line(), step.script(), text);
  }

  /** Puts variables from and to a file around a script, and the processes that it leaves behind. */
  private static String framed(String script) {
    return """
    if [ -f .variables ]; then . ./.variables; fi
    set -a
    %s
    status=$?
    set +a
    jobs -p >> .processes
    export -p > .variables
    exit $status
    """
        .formatted(script);
  }

  private Printed run(Step step) {
    Path out = directory.resolve(".out");
    Path err = directory.resolve(".err");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", framed(step.script()))
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("KUBE"));
    environment.put("PATH", directory.resolve(".bin") + ":" + environment.get("PATH"));
    environment.put("KUBECONFIG", directory.resolve("kubeconfig").toString());
    environment.put("HOME", directory.toString());
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("TZ", "UTC");
    try {
      Process process = builder.start();
      if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        return new Printed(-1, Files.readString(out), "took longer than " + LIMIT);
      }
      return new Printed(process.exitValue(), Files.readString(out), Files.readString(err));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted during " + step, e);
    }
  }

  private void endProcesses() {
    Path processes = directory.resolve(".processes");
    if (!Files.exists(processes)) {
      return;
    }
    try {
      List<String> ids = Files.readAllLines(processes, StandardCharsets.UTF_8);
      for (String id : ids) {
        ProcessHandle.of(Long.parseLong(id.strip())).ifPresent(ProcessHandle::destroyForcibly);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.keelson.testing.kubelet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A command of this host whose streams are those of a client. With a terminal it runs in one of its
 * own, whose changes of size are reported on stdout as lines.
 */
final class RemoteCommand implements CommandStreams.Input {

  private final List<String> command;
  private final boolean tty;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Writes to the command in order, off the event loop. */
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());

  private volatile @Nullable Process process;
  private volatile @Nullable CommandStreams streams;

  RemoteCommand(List<String> command, boolean tty) {
    this.command =
        tty
            ? List.of(
                "script",
                "-qefc",
                String.join(" ", command.stream().map(RemoteCommand::quoted).toList()),
                "/dev/null")
            : List.copyOf(command);
    this.tty = tty;
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Starts the command; on any thread. */
  void run(CommandStreams to) {
    streams = to;
    Process started;
    try {
      started = new ProcessBuilder(command).redirectErrorStream(tty).start();
    } catch (IOException e) {
      var unused =
          threads.submit(
              () ->
                  finish(
                      to,
                      "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"command not found\","
                          + "\"reason\":\"InternalError\",\"code\":500}"));
      return;
    }
    process = started;
    Future<?> out = threads.submit(() -> pump(started.getInputStream(), CommandStreams.STDOUT, to));
    Future<?> err = threads.submit(() -> pump(started.getErrorStream(), CommandStreams.STDERR, to));
    var unused =
        threads.submit(
            () -> {
              out.get();
              err.get();
              finish(to, status(started.waitFor()));
              return true;
            });
  }

  private static void pump(InputStream from, int channel, CommandStreams to) {
    byte[] part = new byte[32_768];
    try {
      for (int read = from.read(part); read >= 0; read = from.read(part)) {
        to.send(channel, Arrays.copyOf(part, read));
      }
      to.end(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The Status that a kubelet sends (source: remotecommand of cri-streaming). */
  static String status(int exitCode) {
    return exitCode == 0
        ? "{\"metadata\":{},\"status\":\"Success\"}"
        : "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"command terminated with non-zero"
            + " exit code: exit status "
            + exitCode
            + "\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\","
            + "\"message\":\""
            + exitCode
            + "\"}]}}";
  }

  private static void finish(CommandStreams to, String status) {
    to.send(CommandStreams.ERROR, status.getBytes(StandardCharsets.UTF_8));
    to.end(CommandStreams.ERROR);
    to.close();
  }

  @Override
  public void bytes(int channel, byte[] bytes) {
    CommandStreams to = streams;
    Process running = process;
    if (running == null || to == null) {
      return;
    }
    if (channel == CommandStreams.RESIZE) {
      var unused =
          threads.submit(
              () ->
                  to.send(
                      CommandStreams.STDOUT,
                      ("resized to " + new String(bytes, StandardCharsets.UTF_8).strip() + "\r\n")
                          .getBytes(StandardCharsets.UTF_8)));
    } else if (channel == CommandStreams.STDIN) {
      var unused = writer.submit(() -> write(running.getOutputStream(), bytes));
    }
  }

  private static boolean write(OutputStream stdin, byte[] bytes) throws IOException {
    stdin.write(bytes);
    stdin.flush();
    return true;
  }

  @Override
  public void end(int channel) {
    Process running = process;
    if (channel == CommandStreams.STDIN && running != null) {
      var unused =
          writer.submit(
              () -> {
                running.getOutputStream().close();
                return true;
              });
    }
  }

  @Override
  public void gone() {
    Process running = process;
    if (running != null) {
      running.destroy();
    }
  }
}

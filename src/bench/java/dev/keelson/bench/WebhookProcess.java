package dev.keelson.bench;

import dev.keelson.testing.WebhookServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;

/**
 * A webhook in a process of its own, which ends with its standard input.
 *
 * @param url the URL without a path
 * @param pem its certificate
 */
record WebhookProcess(Process process, String url, String pem) implements AutoCloseable {

  /** The argument with which a benchmark is the webhook. */
  static final String SERVE = "serve";

  /** Starts {@code main} with the argument {@link #SERVE}. */
  static WebhookProcess start(Class<?> main) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(main.getClassLoader()),
                main.getName(),
                SERVE)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    String url = said.readLine();
    String pem = said.readLine();
    if (url == null || pem == null) {
      process.destroy();
      throw new IOException("the webhook ended");
    }
    return new WebhookProcess(
        process, url, new String(Base64.getDecoder().decode(pem), StandardCharsets.US_ASCII));
  }

  /** Maven runs a benchmark with a class loader, not with a class path. */
  private static String classPath(ClassLoader loader) {
    return loader instanceof URLClassLoader urls
        ? Arrays.stream(urls.getURLs())
            .map(url -> Path.of(URI.create(url.toString())).toString())
            .collect(Collectors.joining(":"))
        : System.getProperty("java.class.path");
  }

  /** Is the webhook until standard input ends. */
  static void serve(WebhookServer.Handler handler) throws IOException {
    try (WebhookServer server = new WebhookServer("hook.default.svc", handler)) {
      System.out.println(server.url());
      System.out.println(
          Base64.getEncoder().encodeToString(server.pem().getBytes(StandardCharsets.US_ASCII)));
      System.out.flush();
      while (System.in.read() >= 0) {
        // only the end counts
      }
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}

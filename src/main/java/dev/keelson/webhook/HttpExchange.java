package dev.keelson.webhook;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One request and its whole response within a time and a size. The timeout of {@link HttpRequest}
 * ends with the response's headers, so that a server could send a body for ever.
 */
public final class HttpExchange {

  private HttpExchange() {}

  /**
   * Sends a request and waits for the response. A failed exchange closes its connection.
   *
   * @param timeout the time until the response is complete
   * @param maxBytes the maximum length of its body; a longer one is an error
   * @throws HttpTimeoutException on timeout
   * @throws InterruptedIOException if the thread is interrupted, which it still is afterwards
   * @throws IOException if the exchange fails
   */
  public static HttpResponse<byte[]> send(
      HttpClient client, HttpRequest request, Duration timeout, long maxBytes) throws IOException {
    // sendAsync would end in the common pool, which may be busy, and has one thread on two cores
    FutureTask<HttpResponse<byte[]>> response =
        new FutureTask<>(
            () ->
                client.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBytes)));
    Thread unused = Thread.ofVirtual().name("http-exchange").start(response);
    try {
      return response.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      response.cancel(/* mayInterruptIfRunning= */ true);
      HttpTimeoutException timedOut = new HttpTimeoutException("request timed out");
      timedOut.initCause(e);
      throw timedOut;
    } catch (InterruptedException e) {
      response.cancel(/* mayInterruptIfRunning= */ true);
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while waiting for " + request.uri());
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private static IOException failure(ExecutionException e) {
    return switch (e.getCause()) {
      case IOException cause -> cause;
      case Error cause -> throw cause;
      case RuntimeException cause -> throw cause;
      case null, default -> new IOException(e);
    };
  }
}

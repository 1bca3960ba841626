package dev.keelson.http.connection;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jboss.logging.Logger;

/**
 * The body of a request, which the event loop collects, no further than the bound, while the thread
 * of the request waits for it.
 */
final class RequestBody {

  /** The largest body that is read; kube-apiserver has the same bound. */
  static final int MAX_BYTES = 3 * 1024 * 1024;

  private static final Logger LOG = Logger.getLogger(RequestBody.class);
  private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final CompletableFuture<byte[]> bytes = new CompletableFuture<>();
  private Buffer collected = Buffer.buffer();

  /** The body has more than {@link #MAX_BYTES}. */
  static final class TooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLargeException() {
      super("Request entity too large: limit is " + MAX_BYTES);
    }

    /** What the client is told. */
    ApiException error() {
      return new ApiException(
          Reason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: limit is " + MAX_BYTES);
    }
  }

  private RequestBody() {}

  /** Whether the body of a request is read at all. */
  static boolean belongsTo(HttpServerRequest request) {
    return METHODS.contains(request.method().name());
  }

  /**
   * Begins to collect.
   *
   * @param onComplete runs on the event loop when there is a body, or one that is too large
   */
  static RequestBody of(HttpServerRequest request, RequestCompletion end, Runnable onComplete) {
    RequestBody body = new RequestBody();
    end.add(() -> body.bytes.cancel(false));
    if (declaredLength(request) > MAX_BYTES) {
      body.refuse();
      onComplete.run();
      return body;
    }
    request.handler(body::collect);
    request.endHandler(
        ended -> {
          body.bytes.complete(body.collected.getBytes());
          onComplete.run();
        });
    request.exceptionHandler(gone -> LOG.debugf("client went away while sending: %s", gone));
    return body;
  }

  private void collect(Buffer chunk) {
    if (bytes.isDone()) {
      return;
    }
    if (collected.length() + chunk.length() > MAX_BYTES) {
      refuse();
    } else {
      collected.appendBuffer(chunk);
    }
  }

  private void refuse() {
    collected = Buffer.buffer();
    bytes.completeExceptionally(new TooLargeException());
  }

  private static long declaredLength(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return header == null ? 0 : Long.parseLong(header);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Waits for the whole body.
   *
   * @throws TooLargeException if it is too large
   * @throws ApiException of reason Timeout if it never comes
   */
  byte[] await() {
    try {
      return bytes.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TooLargeException tooLarge) {
        throw tooLarge;
      }
      throw new IllegalStateException(e);
    } catch (CancellationException e) {
      throw new ApiException(Reason.TIMEOUT, "the request broke off");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request took too long");
    }
  }
}

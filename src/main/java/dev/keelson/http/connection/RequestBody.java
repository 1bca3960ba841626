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
 * The body of a request. The event loop reads it up to the limit while the request's thread waits
 * for it.
 */
final class RequestBody {

  /** Maximum size of a body in bytes, as in kube-apiserver. */
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

    /** The error for the client. */
    ApiException error() {
      return new ApiException(
          Reason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: limit is " + MAX_BYTES);
    }
  }

  private RequestBody() {}

  /** Whether the body of a request is read. */
  static boolean belongsTo(HttpServerRequest request) {
    return METHODS.contains(request.method().name());
  }

  /**
   * Starts to read a body.
   *
   * @param onComplete runs on the event loop when the body is complete or too large
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
   * @throws ApiException of reason Timeout if it is not received in time
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
      throw new ApiException(
          Reason.TIMEOUT, "the connection was closed before the request body was complete");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "timed out while reading the request body");
    }
  }
}

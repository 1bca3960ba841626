package dev.keelson.http.relay;

import dev.keelson.http.ApiResponse;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClosedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A request to another server. Confined to the client's event loop but for {@link #response}. */
public interface Outbound {

  /**
   * What is sent but for the body.
   *
   * @param uri the path and the query, encoded
   * @param target the server
   */
  record Head(String method, String uri, MultiMap headers, Target target) {}

  /**
   * Connects and sends.
   *
   * @return whether the body of the client's request is read from now on
   */
  boolean begin();

  /** The response when its head is there; fails with the cause if there is none. */
  CompletableFuture<ApiResponse> response();

  /** Lets go of the server; does nothing after the end of the response. */
  void cancel();

  /** Ends the response towards the client as if the server had ended it. */
  void finish();

  /** Whether a connection was closed before the response. */
  static boolean wasClosed(ExecutionException e) {
    return e.getCause() instanceof HttpClosedException;
  }

  /** The cause of a failed response. */
  static Throwable causeOf(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause == null ? e : cause;
  }
}

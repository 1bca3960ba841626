package dev.keelson.http;

/**
 * Handles a request: a filter with the next handler, or the end of the chain. Runs on a virtual
 * thread and may block.
 */
@FunctionalInterface
public interface RequestHandler {

  /**
   * Returns the response, or throws an {@link dev.keelson.api.ApiException} that the error filter
   * turns into a Status.
   */
  ApiResponse answer(Exchange exchange);
}

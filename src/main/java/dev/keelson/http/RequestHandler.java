package dev.keelson.http;

/**
 * What answers a request: a filter with its successor, or the end of the chain. Runs on a virtual
 * thread and may block.
 */
@FunctionalInterface
public interface RequestHandler {

  /**
   * Answers, or throws an {@link dev.keelson.api.ApiException} that the chain turns into a Status.
   */
  ApiResponse answer(Exchange exchange);
}

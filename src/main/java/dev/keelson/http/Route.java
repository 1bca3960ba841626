package dev.keelson.http;

import java.util.Optional;

/** Handles non-resource paths, such as discovery and health. */
public interface Route {

  /** Returns the response; empty if the route does not serve the path or the method. */
  Optional<ApiResponse> answer(ApiRequest request);

  /**
   * Whether a GET of {@code path} is served, without creating the response.
   *
   * @param path the path without the query
   */
  boolean serves(String path);
}

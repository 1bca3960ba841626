package dev.keelson.http;

import java.util.Optional;

/** Something that answers some paths that are no resources: discovery, health and the like. */
public interface Route {

  /**
   * The answer, or empty if the path is none of this route's, or cannot be asked by this method.
   */
  Optional<ApiResponse> answer(ApiRequest request);

  /**
   * Whether a GET of {@code path} would be answered, found out without making the answer.
   *
   * @param path of a request, without the query
   */
  boolean serves(String path);
}

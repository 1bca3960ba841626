package dev.keelson.authz.webhook;

import dev.keelson.object.Node.MapNode;
import java.io.IOException;

/** The authorization webhook. Safe for use by several threads; blocks. */
@FunctionalInterface
public interface ReviewService {

  /**
   * Sends a SubjectAccessReview and returns the response.
   *
   * @throws IOException if the request fails, times out or returns no object; a {@link
   *     RetryableException} if it should be retried
   */
  MapNode ask(MapNode review) throws IOException;
}

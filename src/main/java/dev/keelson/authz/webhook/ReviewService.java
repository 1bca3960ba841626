package dev.keelson.authz.webhook;

import dev.keelson.object.Node.MapNode;
import java.io.IOException;

/** The server that is asked. Safe for use by several threads; blocks. */
@FunctionalInterface
public interface ReviewService {

  /**
   * Sends a SubjectAccessReview and reads the answer.
   *
   * @throws IOException if there is no answer in time, or none that is an object; a {@link
   *     RetryableException} if it may be asked again
   */
  MapNode ask(MapNode review) throws IOException;
}
